// SPDX-License-Identifier: Apache-2.0
'use strict';
// Draws the distributions with uPlot, and lets schemes be switched off and on in all of them.
(() => {
  const {css, h, axis} = Plots;
  const data = Plots.data();
  const HEIGHT = 320, STEP = 25, VISIBLE = 0.5;
  // Colour, dashes, width. Colour alone never tells two schemes apart.
  const LOOK = {
    'hadoop': ['--c-hadoop', [], 1.8], 'hadoop-2010': ['--c-hadoop', [2, 3], 1.8],
    'late': ['--c-late', [8, 4], 1.8], 'late-early': ['--c-late', [2, 3], 1.8],
    'dryad': ['--c-dryad', [12, 4], 1.8], 'mapreduce': ['--c-mapreduce', [8, 3, 2, 3], 1.8],
    'mantri': ['--c-mantri', [], 2.2], 'dolly': ['--c-dolly', [12, 3, 2, 3], 1.8],
    'dolly-job': ['--c-dolly', [2, 3], 1.8], 'drover': ['--drover', [], 3.2],
    'no-skew': ['--c-ideal', [5, 4], 1.6], 'no-skew-chop-tail': ['--c-ideal', [2, 3], 1.6], 'informed': ['--c-oracle', [8, 3], 1.6], 'clairvoyant': ['--c-oracle', [2, 2], 2],
  };
  const OTHER = [[6, 3], [3, 3], [10, 3, 3, 3], [1, 3]];
  const look = (name, i) => LOOK[name] || ['--c-other', OTHER[i % OTHER.length], 1.8];
  const hidden = new Set();
  const plots = [];

  // From the first multiple of 25 % below which next to nothing lies, to the first above which nothing lies.
  function range(chart) {
    const curves = data.schemes.map(s => chart.curves[s]).filter(c => c);
    const at = x => Math.round((x - data.points[0]) / (data.points[1] - data.points[0]));
    let from = 0, to = STEP;
    while (from > -100 && curves.some(c => c[at(from) - 1] > VISIBLE)) from -= STEP;
    while (to < 100 && curves.some(c => c[at(to)] < 100 - VISIBLE)) to += STEP;
    return [from, to];
  }

  function point(u, chart, names) {
    const {left, idx} = u.cursor;
    if (left === undefined || left < 0 || idx === null || idx === undefined) {
      Plots.tell(u);
      return;
    }
    const rows = names.filter(s => !hidden.has(s)).map(s => [s, 100 - chart.curves[s][idx]]).sort((p, q) => q[1] - p[1]);
    Plots.tell(u, `More than ${u.data[0][idx]} % less: ${chart.share}`, rows.map(([s, share]) => [s, share.toFixed(1) + ' %']));
  }

  function plot(chart, names, place) {
    const lines = names.map(s => {
      const [colour, dash, width] = look(s, data.schemes.indexOf(s));
      return {label: s, scale: 'y', stroke: () => css(colour), dash, width, show: !hidden.has(s), points: {show: false}};
    });
    const percent = (u, values) => values.map(v => v + ' %');
    return Plots.add({
      scales: {x: {time: false, range: range(chart)}, y: {range: [0, 100]}},
      axes: [axis('reduction', {values: percent, labelSize: 22}), axis(undefined, {values: percent, size: 54})],
      series: [{label: 'reduction'}, ...lines],
      cursor: {y: false, drag: {x: false, y: false}, points: {show: false}},
      hooks: {drawAxes: [u => Plots.rule(u, 'x', 0)], setCursor: [u => point(u, chart, names)]},
    }, [data.points, ...names.map(s => chart.curves[s])], place, HEIGHT);
  }

  function figure(chart, place) {
    const names = data.schemes.filter(s => chart.curves[s]);
    const medians = names.map(s => `${s} ${chart.medians[s]} %`).join(', ');
    if (!names.length) {
      place.replaceWith(h('p', {class: 'empty'}, 'There is nothing of this kind in the workload.'));
      return;
    }
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', `${chart.title}. Half of the ${chart.share.replace(/^share of /, '')} got a reduction of at most: ${medians}`);
    plots.push({names, u: plot(chart, names, place)});
  }

  function button(scheme) {
    return Plots.button(scheme, look(scheme, data.schemes.indexOf(scheme)), show => {
      if (show) hidden.delete(scheme); else hidden.add(scheme);
      for (const p of plots.filter(p => p.names.includes(scheme))) p.u.setSeries(p.names.indexOf(scheme) + 1, {show});
    });
  }

  const drawn = data.schemes.filter(s => data.charts.some(c => c.curves[s]));
  if (!drawn.length) {
    document.getElementById('pictures').remove();
    return;
  }
  document.getElementById('switches').append(...drawn.map(button));
  const places = document.querySelectorAll('#charts .plot');
  data.charts.forEach((chart, i) => figure(chart, places[i]));
})();

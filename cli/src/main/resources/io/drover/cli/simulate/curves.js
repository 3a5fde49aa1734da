// SPDX-License-Identifier: Apache-2.0
'use strict';
// Draws the distributions with uPlot, and lets schemes be switched off and on in all of them.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const box = document.getElementById('charts');
  const tip = document.getElementById('tip');
  const HEIGHT = 320, STEP = 25, VISIBLE = 0.5;
  // Colour, dashes, width. Colour alone never tells two schemes apart.
  const LOOK = {
    'hadoop': ['--c-hadoop', [], 1.8], 'hadoop-2010': ['--c-hadoop', [2, 3], 1.8],
    'late': ['--c-late', [8, 4], 1.8], 'late-early': ['--c-late', [2, 3], 1.8],
    'dryad': ['--c-dryad', [12, 4], 1.8], 'mapreduce': ['--c-mapreduce', [8, 3, 2, 3], 1.8],
    'mantri': ['--c-mantri', [], 2.2], 'dolly': ['--c-dolly', [12, 3, 2, 3], 1.8], 'drover': ['--drover', [], 3.2],
    'no-skew': ['--c-ideal', [5, 4], 1.6], 'no-skew-chop-tail': ['--c-ideal', [2, 3], 1.6], 'informed': ['--c-oracle', [8, 3], 1.6], 'clairvoyant': ['--c-oracle', [2, 2], 2],
  };
  const OTHER = [[6, 3], [3, 3], [10, 3, 3, 3], [1, 3]];
  const look = (name, i) => LOOK[name] || ['--c-other', OTHER[i % OTHER.length], 1.8];
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hidden = new Set();
  const plots = [];

  function h(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    e.append(...children);
    return e;
  }

  // From the first multiple of 25 % below which next to nothing lies, to the first above which nothing lies.
  function range(chart) {
    const curves = data.schemes.map(s => chart.curves[s]).filter(c => c);
    const at = x => Math.round((x - data.points[0]) / (data.points[1] - data.points[0]));
    let from = 0, to = STEP;
    while (from > -100 && curves.some(c => c[at(from) - 1] > VISIBLE)) from -= STEP;
    while (to < 100 && curves.some(c => c[at(to)] < 100 - VISIBLE)) to += STEP;
    return [from, to];
  }

  function baseline(u) {
    const x = Math.round(u.valToPos(0, 'x', true)) + 0.5;
    u.ctx.save();
    u.ctx.strokeStyle = css('--muted');
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  function point(u, chart, names) {
    const {left, idx} = u.cursor;
    if (left === undefined || left < 0 || idx === null || idx === undefined) {
      tip.hidden = true;
      return;
    }
    const x = u.data[0][idx];
    const rows = names.filter(s => !hidden.has(s)).map(s => [s, 100 - chart.curves[s][idx]]).sort((p, q) => q[1] - p[1]);
    const body = h('tbody', {}, ...rows.map(([s, share]) => h('tr', {}, h('td', {}, s), h('td', {}, share.toFixed(1) + ' %'))));
    tip.replaceChildren(h('b', {}, `More than ${x} % less: ${chart.share}`), h('table', {}, body));
    tip.hidden = false;
    const frame = u.over.getBoundingClientRect();
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = Math.max(8, Math.min(most, frame.left + left + 16)) + scrollX + 'px';
    tip.style.top = frame.top + scrollY + 12 + 'px';
  }

  function axis(label, more) {
    return {
      stroke: () => css('--muted'), font: '12px system-ui, sans-serif', labelFont: '13px system-ui, sans-serif',
      grid: {stroke: () => css('--line'), width: 1}, ticks: {stroke: () => css('--line'), width: 1, size: 5}, label, ...more,
    };
  }

  function plot(chart, names, place) {
    const lines = names.map(s => {
      const [colour, dash, width] = look(s, data.schemes.indexOf(s));
      return {label: s, scale: 'y', stroke: () => css(colour), dash, width, show: !hidden.has(s), points: {show: false}};
    });
    const percent = (u, values) => values.map(v => v + ' %');
    return new uPlot({
      width: Math.max(280, place.clientWidth), height: HEIGHT,
      scales: {x: {time: false, range: range(chart)}, y: {range: [0, 100]}},
      axes: [axis('reduction', {values: percent, labelSize: 22}), axis(undefined, {values: percent, size: 54})],
      series: [{label: 'reduction'}, ...lines],
      legend: {show: false},
      cursor: {y: false, drag: {x: false, y: false}, points: {show: false}},
      hooks: {drawAxes: [baseline], setCursor: [u => point(u, chart, names)]},
    }, [data.points, ...names.map(s => chart.curves[s])], place);
  }

  function figure(chart) {
    const names = data.schemes.filter(s => chart.curves[s]);
    const medians = names.map(s => `${s} ${chart.medians[s]} %`).join(', ');
    const f = h('figure', {}, h('figcaption', {}, h('h3', {}, chart.title), h('p', {class: 'ylabel'}, chart.share)));
    box.append(f);
    if (!names.length) {
      f.append(h('p', {class: 'empty'}, 'There is nothing of this kind in the workload.'));
      return;
    }
    const place = h('div', {role: 'img', 'aria-label': `${chart.title}. Half of the ${chart.share.replace(/^share of /, '')} got a reduction of at most: ${medians}`});
    f.append(place);
    plots.push({names, place, u: plot(chart, names, place)});
  }

  function button(scheme, i) {
    const [colour, dash, width] = look(scheme, i);
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    for (const [key, value] of Object.entries({x1: 0, x2: 30, y1: 6, y2: 6, 'stroke-width': width, 'stroke-dasharray': dash.join(' ')})) line.setAttribute(key, value);
    line.style.stroke = `var(${colour})`;
    svg.append(line);
    const b = h('button', {type: 'button', 'aria-pressed': 'true'}, svg, scheme);
    b.addEventListener('click', () => {
      const show = hidden.delete(scheme);
      if (!show) hidden.add(scheme);
      b.setAttribute('aria-pressed', String(show));
      for (const p of plots.filter(p => p.names.includes(scheme))) p.u.setSeries(p.names.indexOf(scheme) + 1, {show});
    });
    return b;
  }

  const drawn = data.schemes.filter(s => data.charts.some(c => c.curves[s]));
  if (!drawn.length) {
    document.getElementById('curves').remove();
    return;
  }
  document.getElementById('schemes').append(...drawn.map(s => button(s, data.schemes.indexOf(s))));
  data.charts.forEach(figure);
  const redraw = () => plots.forEach(p => p.u.redraw());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  matchMedia('print').addEventListener('change', redraw);
  let timer;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(() => plots.forEach(p => p.u.setSize({width: Math.max(280, p.place.clientWidth), height: HEIGHT})), 120);
  });
  addEventListener('keydown', e => { if (e.key === 'Escape') tip.hidden = true; });
})();

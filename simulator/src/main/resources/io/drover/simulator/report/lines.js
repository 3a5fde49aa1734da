// SPDX-License-Identifier: Apache-2.0
'use strict';
// Draws plots of several lines with uPlot. Each plot has a legend of its own, whose entries show and hide its lines.
(() => {
  const {css, h, axis} = Plots;
  const data = Plots.data();
  const HEIGHT = 340;
  // Colour, dashes, width. Colour alone never tells two lines apart.
  const LOOK = [['--drover', [], 2.8], ['--c-hadoop', [8, 4], 2], ['--c-mantri', [2, 3], 2.2], ['--c-dolly', [12, 3, 2, 3], 2]];
  const look = i => LOOK[i % LOOK.length];

  // The value of a curve at x: between two points on the line through them, and none beyond its ends.
  function at(curve, x) {
    const {x: xs, y: ys} = curve;
    if (!xs.length || x < xs[0] || x > xs[xs.length - 1]) return null;
    let low = 0, high = xs.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (xs[middle] <= x) low = middle; else high = middle;
    }
    if (xs[high] === xs[low]) return Math.max(ys[low], ys[high]);
    return ys[low] + (ys[high] - ys[low]) * (x - xs[low]) / (xs[high] - xs[low]);
  }

  function point(u, plot, shown) {
    const {left, idx} = u.cursor;
    if (left === undefined || left < 0 || idx === null || idx === undefined) {
      Plots.tell(u);
      return;
    }
    const rows = plot.curves.map((c, i) => [c.name, u.data[i + 1][idx]]).filter(([, y], i) => shown[i] && y !== null);
    Plots.tell(u, `${u.data[0][idx].toFixed(2)} %: ${plot.x.replace(/, %.*/, '')}`, rows.map(([name, y]) => [name, y.toFixed(1) + ' %']));
  }

  function draw(plot, place) {
    const most = Math.max(...plot.curves.flatMap(c => c.x));
    const xs = [...new Set([...plot.curves.flatMap(c => c.x), ...Array.from({length: 201}, (_, i) => most * i / 200)])].sort((a, b) => a - b);
    const shown = plot.curves.map(() => true);
    const percent = (u, values) => values.map(v => v + ' %');
    const u = Plots.add({
      scales: {x: {time: false, range: [0, most]}, y: {range: [0, 100]}},
      axes: [axis(plot.x, {values: percent, labelSize: 24}), axis(undefined, {values: percent, size: 54})],
      series: [{}, ...plot.curves.map((c, i) => ({label: c.name, scale: 'y', stroke: () => css(look(i)[0]), dash: look(i)[1], width: look(i)[2], points: {show: false}, spanGaps: true}))],
      cursor: {y: false, drag: {x: false, y: false}, points: {show: false}},
      hooks: {drawAxes: [v => { if (plot.mark) Plots.rule(v, 'x', plot.mark, [4, 3]); }], setCursor: [v => point(v, plot, shown)]},
    }, [xs, ...plot.curves.map(c => xs.map(x => at(c, x)))], place, HEIGHT);
    const ends = plot.curves.map(c => `${c.name}: ${plot.mark ? (at(c, plot.mark) ?? 0).toFixed(1) + ' % at ' + plot.mark + ' %' : Math.max(0, ...c.y).toFixed(1) + ' %'}`);
    place.setAttribute('role', 'img');
    place.setAttribute('aria-label', `${plot.y}, by ${plot.x}. ${ends.join('; ')}`);
    const legend = h('div', {class: 'lines', role: 'group', 'aria-label': 'Lines'});
    plot.curves.forEach((c, i) => legend.append(Plots.button(c.name, look(i), on => { shown[i] = on; u.setSeries(i + 1, {show: on}); })));
    place.before(legend);
  }

  document.getElementById('switches').remove();
  const places = document.querySelectorAll('#charts .plot');
  data.plots.forEach((plot, i) => draw(plot, places[i]));
})();

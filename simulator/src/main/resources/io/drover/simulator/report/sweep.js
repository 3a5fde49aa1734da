// SPDX-License-Identifier: Apache-2.0
'use strict';
// Draws with uPlot what each value of a setting wins over the default, and lets aims be switched off and on in all pictures.
(() => {
  const {css} = Plots;
  const data = Plots.data();
  const HEIGHT = 200, LEAST_SPAN = 1, CHARACTER = 6.5, AIR = 8;
  // Colour, dashes, width, one for each aim: colour alone never tells two apart.
  const LOOK = [['--drover', [], 2.6], ['--c-hadoop', [7, 4], 2], ['--c-mantri', [2, 3], 2.2]];
  const LINES = 3; // of an aim: greatest, least, median
  const hidden = new Set();
  const plots = [];
  let common = false;

  const signed = v => (v > 0 ? '+' : v < 0 ? '\u2212' : '') + Math.abs(v).toFixed(1);
  const own = setting => span(setting.gains.flatMap(g => [...g.least, ...g.greatest]));
  const all = () => span(data.settings.flatMap(s => s.gains.flatMap(g => [...g.least, ...g.greatest])));

  // From the least to the greatest and a bit; 0 is always seen, and noise is not blown up.
  function span(values) {
    const known = values.filter(v => v !== null);
    const from = Math.min(-LEAST_SPAN, ...known), to = Math.max(LEAST_SPAN, ...known);
    const air = 0.08 * (to - from);
    return [from - air, to + air];
  }

  // Labels that do not run into each other: the default's, with its mark, and outwards from it all that find room.
  function labels(setting, width) {
    const all = setting.values.map((v, i) => i === setting.usual ? v + ' *' : v);
    const step = width / (all.length - 0.3);
    const shown = all.map((v, i) => i === setting.usual ? v : '');
    for (const way of [-1, 1]) {
      let last = setting.usual;
      for (let i = last + way; i >= 0 && i < all.length; i += way) {
        if (Math.abs(i - last) * step < (all[i].length + all[last].length) / 2 * CHARACTER + AIR) continue;
        shown[i] = all[i];
        last = i;
      }
    }
    return shown;
  }

  function band(colour) {
    return () => css(colour) + '2e';
  }

  function series(aim, i) {
    const [colour, dash, width] = LOOK[i];
    const show = !hidden.has(i);
    const edge = {scale: 'y', width: 0, stroke: 'transparent', points: {show: false}, show};
    const points = {show: true, size: 6, width: 1.5, stroke: () => css(colour), fill: () => css('--paper')};
    return [{...edge, label: aim + ', greatest'}, {...edge, label: aim + ', least'}, {scale: 'y', label: aim, stroke: () => css(colour), dash, width, points, show}];
  }

  function mark(u, setting) {
    Plots.rule(u, 'y', 0);
    Plots.rule(u, 'x', setting.usual, [4, 3]);
  }

  function point(u, setting) {
    const {left, idx} = u.cursor;
    if (left === undefined || left < 0 || idx === null || idx === undefined) {
      Plots.tell(u);
      return;
    }
    const shown = data.aims.map((aim, i) => [aim, setting.gains[i]]).filter(([, g], i) => !hidden.has(i) && g.median[idx] !== null);
    const rows = shown.map(([aim, g]) => [aim, signed(g.median[idx]), data.repeated ? `${signed(g.least[idx])} to ${signed(g.greatest[idx])}` : '']);
    const usual = idx === setting.usual ? ', the default' : '';
    Plots.tell(u, `${setting.name} = ${setting.values[idx]}${usual}: points`, rows);
  }

  function plot(setting, place) {
    const xs = setting.values.map((_, i) => i);
    return Plots.add({
      scales: {x: {time: false, range: [-0.35, xs.length - 0.65]}, y: {range: () => common ? all() : own(setting)}},
      axes: [
        Plots.axis(undefined, {splits: () => xs, values: u => labels(setting, u.bbox.width / devicePixelRatio), grid: {show: false}, size: 30}),
        Plots.axis(undefined, {values: (u, splits) => splits.map(v => v > 0 ? '+' + v : String(v).replace('-', '\u2212')), size: 46, space: 28}),
      ],
      series: [{}, ...data.aims.flatMap(series)],
      bands: data.aims.map((_, i) => ({series: [LINES * i + 1, LINES * i + 2], fill: band(LOOK[i][0])})),
      cursor: {y: false, drag: {x: false, y: false}, points: {show: false}},
      hooks: {drawAxes: [u => mark(u, setting)], setCursor: [u => point(u, setting)]},
    }, [xs, ...setting.gains.flatMap(g => [g.greatest, g.least, g.median])], place, HEIGHT);
  }

  // Arrow keys go from value to value.
  function keys(u, setting, place) {
    let at = setting.usual;
    const show = () => u.setCursor({left: u.valToPos(at, 'x'), top: 0});
    place.addEventListener('focus', show);
    place.addEventListener('blur', () => u.setCursor({left: -10, top: -10}));
    place.addEventListener('keydown', e => {
      const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: setting.values.length - 1}[e.key];
      if (to === undefined) return;
      e.preventDefault();
      at = Math.max(0, Math.min(setting.values.length - 1, to));
      show();
    });
  }

  function figure(setting, place) {
    const medians = data.aims.map((aim, i) => `${aim}: ` + setting.values.map((v, k) => `${v} ${setting.gains[i].median[k] === null ? 'unknown' : signed(setting.gains[i].median[k])}`).join(', ')).join('. ');
    for (const [key, value] of Object.entries({role: 'img', tabindex: 0, 'aria-label': `${setting.name}, default ${setting.values[setting.usual]}, points by value. ${medians}. Arrow keys go through the values.`})) place.setAttribute(key, value);
    const u = plot(setting, place);
    keys(u, setting, place);
    plots.push(u);
  }

  const switches = document.getElementById('switches');
  data.aims.forEach((aim, i) => switches.append(Plots.button(aim, LOOK[i], show => {
    if (show) hidden.delete(i); else hidden.add(i);
    for (const u of plots) for (let k = 1; k <= LINES; k++) u.setSeries(LINES * i + k, {show});
  })));
  switches.append(Plots.toggle('one scale for all', false, on => {
    common = on;
    for (const u of plots) u.setData(u.data);
  }));
  const places = document.querySelectorAll('#charts .plot');
  data.settings.forEach((setting, i) => figure(setting, places[i]));
})();

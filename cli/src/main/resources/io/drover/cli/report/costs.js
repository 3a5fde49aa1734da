// SPDX-License-Identifier: Apache-2.0
'use strict';
// What time was lost to: bars, and tables with a bar in each row.
const Costs = (() => {
  const {h, cells, head} = Parts;

  // As the command writes times: 12.3 s, 4:05, 1:02:03.
  function time(s) {
    if (s < 60) return s.toFixed(1) + ' s';
    const whole = Math.round(s), two = n => String(n).padStart(2, '0');
    const minutes = Math.floor(whole / 60) % 60;
    return whole < 3600 ? `${minutes}:${two(whole % 60)}` : `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`;
  }
  const percent = (part, whole) => (whole > 0 ? Math.round(100 * part / whole) : 0) + ' %';
  const words = key => key.replaceAll('-', ' ');

  // rows: {name, cost, note, mended}, dearest first
  function bars(rows, whole, label) {
    const most = Math.max(...rows.map(r => r.cost), 1e-9);
    const grid = h('div', {class: 'costs', role: 'img', 'aria-label': label});
    for (const r of rows) {
      grid.append(h('div', {class: 'name'}, r.name),
        h('div', {class: 'row'}, h('span', {class: 'cost' + (r.mended ? ' mended' : ''), style: `width:${Math.max(0.3, 46 * r.cost / most)}%`}),
          h('span', {class: 'value'}, `${time(r.cost)} · ${percent(r.cost, whole)} `, h('small', {}, r.note || ''))));
    }
    return grid;
  }

  // columns: [head, isText]; rows: {cost, cells}
  function table(columns, rows) {
    const most = Math.max(...rows.map(r => r.cost), 1e-9);
    const all = h('table');
    const body = head(all, [...columns, ['cost', true]]);
    for (const r of rows) {
      const bar = h('span', {class: 'small', style: `width:${Math.max(1, Math.round(90 * r.cost / most))}px`});
      body.append(cells(h('tr'), [...r.cells.map((c, i) => h('td', {class: columns[i][1] ? 'text name' : ''}, c)), h('td', {class: 'text nowrap'}, bar, time(r.cost))]));
    }
    return h('div', {class: 'scroll'}, all);
  }

  return {time, percent, words, bars, table};
})();

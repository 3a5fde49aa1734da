// SPDX-License-Identifier: Apache-2.0
'use strict';
// What the pages of simulate have in common: elements, colours, axes, switches, and the box that follows the pointer.
const Plots = (() => {
  const tip = document.getElementById('tip');
  const plots = [];

  const data = () => JSON.parse(document.getElementById('data').textContent);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function h(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    e.append(...children);
    return e;
  }

  function axis(label, more) {
    return {
      stroke: () => css('--muted'), font: '12px system-ui, sans-serif', labelFont: '13px system-ui, sans-serif',
      grid: {stroke: () => css('--line'), width: 1}, ticks: {stroke: () => css('--line'), width: 1, size: 5}, label, ...more,
    };
  }

  // A line through the whole plot: upright at a value of x, or level at one of y.
  function rule(u, scale, value, dash) {
    const at = Math.round(u.valToPos(value, scale, true)) + 0.5;
    const {left, top, width, height} = u.bbox;
    u.ctx.save();
    u.ctx.strokeStyle = css('--muted');
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash((dash || []).map(d => d * devicePixelRatio));
    u.ctx.beginPath();
    u.ctx.moveTo(scale === 'x' ? at : left, scale === 'x' ? top : at);
    u.ctx.lineTo(scale === 'x' ? at : left + width, scale === 'x' ? top + height : at);
    u.ctx.stroke();
    u.ctx.restore();
  }

  // Shows the rows of a table beside the pointer, or hides the box if there are none.
  function tell(u, title, rows) {
    tip.hidden = !rows;
    if (!rows) return;
    const body = h('tbody', {}, ...rows.map(row => h('tr', {}, ...row.map(cell => h('td', {}, cell)))));
    tip.replaceChildren(h('b', {}, title), h('table', {}, body));
    const frame = u.over.getBoundingClientRect();
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = Math.max(8, Math.min(most, frame.left + u.cursor.left + 16)) + scrollX + 'px';
    tip.style.top = frame.top + scrollY + 12 + 'px';
  }

  // A button that shows and hides a line, with a piece of the line on it. A look is colour, dashes, width.
  function button(label, [colour, dash, width], change) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    for (const [key, value] of Object.entries({x1: 0, x2: 30, y1: 6, y2: 6, 'stroke-width': width, 'stroke-dasharray': dash.join(' ')})) line.setAttribute(key, value);
    line.style.stroke = `var(${colour})`;
    svg.append(line);
    return toggle(label, true, change, svg);
  }

  // A button that is pressed or not.
  function toggle(label, pressed, change, ...before) {
    const b = h('button', {type: 'button', 'aria-pressed': String(pressed)}, ...before, label);
    b.addEventListener('click', () => {
      const on = b.getAttribute('aria-pressed') !== 'true';
      b.setAttribute('aria-pressed', String(on));
      change(on);
    });
    return b;
  }

  // Draws into a place, as wide as it is, and goes on doing so.
  function add(options, columns, place, height) {
    const u = new uPlot({width: width(place), height, legend: {show: false}, ...options}, columns, place);
    plots.push({u, place, height});
    return u;
  }

  const width = place => Math.max(280, place.clientWidth);
  const redraw = () => plots.forEach(p => p.u.redraw());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  matchMedia('print').addEventListener('change', redraw);
  let timer;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(() => plots.forEach(p => p.u.setSize({width: width(p.place), height: p.height})), 120);
  });
  addEventListener('keydown', e => { if (e.key === 'Escape') tip.hidden = true; });

  return {data, css, h, axis, rule, tell, button, toggle, add};
})();

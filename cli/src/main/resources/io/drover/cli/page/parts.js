// SPDX-License-Identifier: Apache-2.0
'use strict';
// What all pages with time lines share: elements, tables, tips, and drawing again when the width changes.
const Parts = (() => {
  const {el} = Chart;
  const tip = document.getElementById('tip');

  function h(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    for (const child of children) if (child !== undefined) e.append(child);
    return e;
  }
  const item = (width, label, ...parts) => h('li', {}, el('svg', {class: 'chart', width, height: 16, viewBox: `0 0 ${width} 16`, 'aria-hidden': 'true', style: `width:${width}px;height:16px`}, ...parts), h('span', {}, label));

  function cells(row, values) {
    for (const v of values) row.append(v instanceof Node ? v : h('td', {}, v));
    return row;
  }
  function head(table, names) {
    table.append(h('thead', {}, cells(h('tr'), names.map(([n, text]) => h('th', {scope: 'col', ...(text ? {class: 'text'} : {})}, n)))));
    return table.appendChild(h('tbody'));
  }
  // Hover and keyboard: one tab stop for a chart, arrows within it.
  function explore(svg, items) {
    if (!items.length) return;
    const pick = item => {
      svg.querySelectorAll('.picked').forEach(e => e.classList.remove('picked'));
      svg.classList.toggle('picking', !!item);
      if (item) svg.querySelectorAll('.task-' + CSS.escape(item.about.task)).forEach(e => e.classList.add('picked'));
    };
    const show = (item, event) => { pick(item); tell(item, event); };
    const hide = () => { pick(); tip.hidden = true; };
    items.forEach((item, i) => {
      item.setAttribute('tabindex', i === 0 ? 0 : -1);
      item.addEventListener('pointerenter', e => show(item, e));
      item.addEventListener('pointermove', e => tell(item, e));
      item.addEventListener('pointerleave', hide);
      item.addEventListener('focus', () => { if (item.matches(':focus-visible')) show(item); });
      item.addEventListener('blur', hide);
      item.addEventListener('keydown', e => {
        const to = {ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: items.length - 1}[e.key];
        if (e.key === 'Escape') hide();
        if (to === undefined || !items[to]) return;
        e.preventDefault();
        items.forEach(other => other.setAttribute('tabindex', -1));
        items[to].setAttribute('tabindex', 0);
        items[to].focus();
      });
    });
  }

  function tell(item, event) {
    tip.replaceChildren(h('b', {}, item.about.title), ...item.about.lines.map(l => h('p', {}, l)));
    tip.hidden = false;
    const at = item.getBoundingClientRect();
    const x = event ? event.clientX : at.left, y = event ? event.clientY : at.bottom;
    const left = Math.max(8, Math.min(x + 14, document.documentElement.clientWidth - tip.offsetWidth - 8));
    const below = y + 18 + tip.offsetHeight < window.innerHeight;
    tip.style.left = left + window.scrollX + 'px';
    tip.style.top = (below ? y + 16 : Math.max(8, y - tip.offsetHeight - 14)) + window.scrollY + 'px';
  }

  function patterns() {
    const defs = el('defs');
    for (const kind of ['map', 'reduce']) {
      defs.append(el('pattern', {id: 'hatch-' + kind, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
          el('rect', {class: 'under', width: 6, height: 6}), el('line', {class: 'hatch-' + kind, x1: 1.5, x2: 1.5, y1: 0, y2: 6})));
      defs.append(el('pattern', {id: 'dots-' + kind, width: 5, height: 5, patternUnits: 'userSpaceOnUse'},
          el('rect', {class: 'under', width: 5, height: 5}), el('circle', {class: 'dot-' + kind, cx: 2.5, cy: 2.5, r: 1.4})));
    }
    defs.append(el('pattern', {id: 'cross-fault', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
        el('rect', {class: 'under', width: 6, height: 6}), el('path', {class: 'hatch-fault', d: 'M0 3H6M3 0V6'})));
    defs.append(el('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6.5, markerHeight: 6.5, orient: 'auto'},
        el('path', {class: 'arrow', d: 'M0 0L8 4L0 8Z'})));
    const svg = el('svg', {width: 0, height: 0, 'aria-hidden': 'true'}, defs);
    svg.style.position = 'absolute';
    return svg;
  }

  // Draw into boxes whose width is known only now, and again when it changes.
  const redraws = [];

  function drawAll() {
    const redraw = () => redraws.forEach(show => show());
    redraw();
    let timer, width = window.innerWidth;
    addEventListener('resize', () => {
      if (window.innerWidth === width) return;
      width = window.innerWidth;
      clearTimeout(timer);
      timer = setTimeout(redraw, 120);
    });
    addEventListener('beforeprint', () => document.querySelectorAll('figure').forEach(f => f.closest('details')?.setAttribute('open', '')));
    addEventListener('keydown', e => { if (e.key === 'Escape') tip.hidden = true; });
  }

  return {h, item, cells, head, explore, patterns, redraws, drawAll};
})();

// SPDX-License-Identifier: Apache-2.0
'use strict';
// Which blocks a run read where: a row for each node, with its slots and the blocks that it holds.
const Sampling = (() => {
  const TOP = 26, ROW = 26, GAP = 4, RACK_GAP = 9, SLOT = 9, RIGHT = 4;
  const {el, text, seconds} = Chart;
  const WORDS = {local: 'on its own node', rack: 'on another node of its rack', other: 'in another rack'};

  function layout(nodes, runs, width) {
    const gutter = width < 720 ? 66 : 96;
    const {slotsOfHost, hosts} = runs[0].sample;
    const most = Math.max(1, ...nodes.map(n => hosts.filter(h => h === n.name).length));
    const cells = gutter + slotsOfHost * (SLOT + 3) + 22;
    const rows = [];
    let y = TOP, rack;
    for (const node of nodes) {
      if (rack !== undefined && rack !== node.rack) y += RACK_GAP;
      rack = node.rack;
      rows.push({...node, y});
      y += ROW + GAP;
    }
    return {width, gutter, cells, rows, cell: (width - cells - RIGHT) / most, height: y};
  }

  // The attempt that counts for a block, or one whose output was left out.
  function readOf(run, block) {
    const all = run.sample.reads.filter(r => r.block === block);
    return all.find(r => r.used) || all[0];
  }

  function label(read, block, box) {
    if (!read) return String(block);
    const said = !read.used ? [block + ' left out', block + ' x']
        : read.nearness === 'local' ? [] : [`${block} → ${read.node}`, `${block} ${read.nearness.charAt(0)}`];
    return said.find(words => words.length * 6.4 < box.cell - 5) || String(block);
  }

  function lines(read, holder) {
    if (!read) return [`It lies on ${holder}.`, 'No map read it.'];
    const all = [`It lies on ${holder}; ${read.node} read it, ${WORDS[read.nearness]}.`];
    all.push(read.used ? 'The result has it.' : 'An extra map: its output was left out.');
    return all;
  }

  function cell(run, block, row, x, box) {
    const read = readOf(run, block);
    const kind = !read ? 'unread' : read.used ? read.nearness : 'leftout';
    const shape = {x, y: row.y, width: box.cell - 3, height: ROW, rx: 2};
    const g = el('g', {class: `block ${kind} task-b${block}`}, el('rect', {class: 'body', ...shape}),
        text(x + (box.cell - 3) / 2, row.y + ROW / 2 + 4, label(read, block, box), {'text-anchor': 'middle'}));
    g.about = {title: `Block ${block}`, lines: lines(read, row.name), task: 'b' + block};
    if (read) {
      g.append(el('rect', {class: 'focus', x: x - 1, y: row.y - 1, width: box.cell - 1, height: ROW + 2, rx: 3}));
      g.setAttribute('role', 'img');
      g.setAttribute('aria-label', [g.about.title, ...g.about.lines].join('. '));
    }
    return {g, read};
  }

  function slots(run, row, box) {
    const held = run.sample.slotsHeld[row.name] || 0;
    const all = [];
    for (let i = 0; i < run.sample.slotsOfHost; i++) {
      all.push(el('rect', {class: 'slot' + (i < held ? ' held' : ''), x: box.gutter + i * (SLOT + 3), y: row.y + 5, width: SLOT, height: ROW - 10, rx: 1}));
    }
    return el('g', {role: 'img', 'aria-label': `${row.name}: ${held} of ${run.sample.slotsOfHost} slots held by the other application`}, ...all);
  }

  function racks(svg, box) {
    for (const name of new Set(box.rows.map(r => r.rack))) {
      const own = box.rows.filter(r => r.rack === name);
      const from = own[0].y, to = own[own.length - 1].y + ROW, middle = (from + to) / 2;
      svg.append(el('line', {class: 'rackline', x1: 20.5, x2: 20.5, y1: from, y2: to}),
          text(12, middle, name.replace(/^\//, ''), {class: 'dim', 'text-anchor': 'middle', transform: `rotate(-90 12 ${middle})`}));
    }
  }

  function draw(run, box, name) {
    const svg = el('svg', {class: 'chart', viewBox: `0 0 ${box.width} ${box.height}`, role: 'group', 'aria-label': `${name}: ${facts(run)}`});
    svg.append(text(box.gutter, TOP - 10, 'slots', {class: 'dim'}), text(box.cells, TOP - 10, 'blocks on the node’s disk', {class: 'dim'}));
    racks(svg, box);
    const items = [];
    for (const row of box.rows) {
      svg.append(text(box.gutter - 12, row.y + ROW / 2 + 4, row.name, {'text-anchor': 'end', 'font-weight': 600, 'font-size': 12.5}), slots(run, row, box));
      run.sample.hosts.map((h, block) => h === row.name ? block : -1).filter(block => block >= 0).forEach((block, i) => {
        const {g, read} = cell(run, block, row, box.cells + i * box.cell, box);
        svg.append(g);
        if (read) items.push(g);
      });
    }
    return {svg, items};
  }

  function facts(run) {
    const s = run.sample;
    const all = [`${s.local} of ${s.needed} blocks read on their own node, ${s.rack} in their rack, ${s.other} in another rack`];
    if (s.maps > s.needed) all.push(`${s.needed} of ${s.maps} maps are needed`);
    if (s.longestWaitSeconds !== undefined) all.push(s.longestWaitSeconds < 0.05 ? 'no wait for locality' : `waited at most ${seconds(s.longestWaitSeconds)} for locality`);
    return all.join(' · ');
  }

  // How the outputs were chosen, as a sentence.
  function choice(run) {
    const c = run.sample.outputsChosen;
    if (!c) return undefined;
    return `Drover chose the outputs when ${c.done} of ${run.sample.maps} maps were done. The busiest link between racks needs ${c.busiestLinkSeconds.toFixed(3)} s for them; no choice needs less than ${c.lowerBoundSeconds.toFixed(3)} s.`;
  }

  // What the marks mean; `item` makes an entry of a picture of some width and its words.
  function key(item) {
    const block = (kind, label, words) => item(46, words, el('g', {class: 'block ' + kind}, el('rect', {class: 'body', x: 0.5, y: 0.5, width: 45, height: 15, rx: 2}),
        text(23, 12, label, {'text-anchor': 'middle'})));
    const slot = (kind, words) => item(SLOT, words, el('rect', {class: 'slot' + kind, x: 0.5, y: 1, width: SLOT - 1, height: 14, rx: 1}));
    return [block('local', '7', 'read on its own node'), block('rack', '7 → n2', 'read by n2, in its rack (r)'), block('other', '7 → n5', 'read by n5, in another rack (o)'),
      block('leftout', '7', 'read by an extra map, left out (x)'), block('unread', '7', 'not read'), slot(' held', 'slot held by the other application'), slot('', 'free slot')];
  }

  return {layout, draw, facts, choice, key};
})();

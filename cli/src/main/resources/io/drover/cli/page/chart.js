// SPDX-License-Identifier: Apache-2.0
'use strict';
// One run as a time line: a band for each node, a lane in it for each attempt that ran at the same time.
const Chart = (() => {
  const NS = 'http://www.w3.org/2000/svg';
  const TOP = 32, BOTTOM = 24, RIGHT = 64, PAD = 5, GAP = 3, MARK = 7.5;
  // Left of the bands: racks take so much, then come names and faults of these sizes, and a space.
  const RACKS = 28, NAME_SIZE = 12.5, SIZE = 11, SPACE = 10;
  const OUTCOME = {
    WON: 'its output is the task’s output',
    KILLED: 'killed: not needed any more, or its node was gone',
    FAILED: 'failed',
    OUTPUT_LOST: 'finished, but its output was lost later',
    UNKNOWN: 'its end is not known',
  };
  const ROLE = {FIRST: '', COPY: 'copy', CLONE: 'clone', RETRY: 'again'};
  const ACTION = {DUPLICATE: 'Copy', KILL_AND_RESTART: 'Kill, restart', PRUNE: 'End the slower', START: 'Start', LEAVE: 'Leave'};

  function el(name, attributes, ...children) {
    const e = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    for (const child of children) e.append(child);
    return e;
  }
  const seconds = s => s.toFixed(1) + ' s';
  const taskOf = d => taskName(d.task || '');
  const action = d => ACTION[d.action] || String(d.action || '').toLowerCase().replaceAll('_', ' ');

  // task_1700000000000_0001_m_000007 -> m7
  function taskName(id) {
    const parts = /_([mr])_0*(\d+)/.exec(id);
    return parts ? parts[1] + parts[2] : id;
  }

  // The sentence of a reason without the action before it and the figures behind it, which stand by themselves.
  function sentence(d) {
    const text = String(d.reason || d.rule || '');
    const cut = text.replace(/^[A-Z_]+( attempt_\S+ on [^:]+)?: /, '').replace(/; t_re[md].*$/s, '').replace(/, copies \d+$/, '');
    const inTime = d.rule === 'SLOWER_ATTEMPT' && typeof d.threshold === 'number' ? ', in ' + seconds(d.threshold) : '';
    return cut.charAt(0).toUpperCase() + cut.slice(1) + inTime;
  }
  function remaining(d) {
    return d.stopped ? 'infinite' : typeof d.tRem === 'number' ? seconds(d.tRem) : '–';
  }
  const acts = d => d.type === 'decision' && d.action !== 'LEAVE';

  // Lanes: the first that is free. Returns them by node, and how many each node needs.
  function lanes(run) {
    const byNode = new Map();
    for (const a of [...run.attempts].sort((x, y) => x.start - y.start || x.attempt - y.attempt)) {
      const ends = byNode.get(a.node) || [];
      let lane = ends.findIndex(end => end <= a.start);
      if (lane < 0) lane = ends.length;
      ends[lane] = a.end;
      a.lane = lane;
      byNode.set(a.node, ends);
    }
    return new Map([...byNode].map(([node, ends]) => [node, ends.length]));
  }

  // Decisions that acted, by time, with their number, the attempt they are about and the one they led to.
  function decided(run) {
    const list = run.decisions.filter(acts).sort((x, y) => x.at - y.at);
    const used = new Set();
    list.forEach((d, i) => {
      const ofTask = run.attempts.filter(a => a.task === taskOf(d));
      d.number = i + 1;
      d.about = ofTask.find(a => a.id === d.attempt) || ofTask[0];
      d.refused = run.decisions.find(r => r.type === 'refused' && r.task === d.task && r.action === d.action && r.at >= d.at && r.at - d.at < 2);
      d.led = d.mode === 'observe' || d.refused || d.action === 'PRUNE' ? undefined
          : ofTask.find(a => a.role !== 'FIRST' && a.start >= d.at - 0.5 && !used.has(a));
      if (d.led) used.add(d.led);
    });
    return list;
  }

  /** When the fault of a run began, and what it is, as is written below its node. */
  function faultOf(run) {
    const begun = run.events.find(e => run.faultNode && e.what.split(/[ :]/).includes(run.faultNode));
    return {begun, label: begun && run.faultLabel === 'dies' ? 'dies at ' + seconds(begun.at) : run.faultLabel};
  }

  function widthOf(label, size) {
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = `600 ${size}px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(label).width;
  }

  // As wide as the longest name of a node and the longest fault, right of the racks.
  function gutterFor(nodes, runs, width) {
    const faults = runs.filter(r => r.faultNode && r.faultLabel).map(r => widthOf(faultOf(r).label, SIZE));
    const names = nodes.map(node => widthOf(short(node.name), NAME_SIZE));
    return Math.max(width < 720 ? 116 : 138, RACKS + Math.ceil(Math.max(0, ...names, ...faults)) + SPACE);
  }

  // Same rows and same scale for all runs that are to be compared.
  function layout(nodes, runs, width) {
    const need = new Map();
    for (const run of runs) lanes(run).forEach((n, node) => need.set(node, Math.max(n, need.get(node) || 0)));
    const most = Math.max(1, ...need.values());
    const height = most > 8 ? 11 : most > 5 ? 14 : 16;
    const gutter = gutterFor(nodes, runs, width);
    const rows = [];
    let y = TOP, rack;
    for (const node of nodes) {
      if (rack !== undefined && rack !== node.rack) y += 7;
      rack = node.rack;
      const count = Math.max(need.get(node.name) || 0, 2);
      const h = 2 * PAD + count * height + (count - 1) * GAP;
      rows.push({name: node.name, rack: node.rack, y, h});
      y += h + 2;
    }
    const last = Math.max(1, ...runs.map(r => Math.max(r.jobSeconds, ...r.attempts.map(a => a.end))));
    const scale = (width - gutter - RIGHT) / last;
    return {width, gutter, rows, lane: height, last, bottom: y, height: y + BOTTOM, x: t => gutter + Math.max(0, t) * scale,
      row: name => rows.find(r => r.name === name), y: a => rows.find(r => r.name === a.node).y + PAD + a.lane * (height + GAP)};
  }

  function ticks(last, pixels) {
    const steps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600, 7200, 21600, 86400, 604800];
    const step = steps.find(s => pixels * s / last >= 56) || last / 10;
    const all = [];
    for (let t = 0; t <= last; t += step) all.push(t);
    return all;
  }

  function text(x, y, content, attributes) {
    return el('text', {x, y, ...attributes}, content);
  }

  /** A host's name, as far as there is room: without its domain, and not longer than a label can be. */
  function short(host) {
    const label = /^[\d.:]+$/.test(host) ? host : host.split('.')[0];
    return label.length > 13 ? label.slice(0, 12) + '\u2026' : label;
  }

  function frame(svg, run, box, clean, off) {
    const end = box.x(run.jobSeconds);
    const {begun, label} = faultOf(run);
    for (const row of box.rows) {
      const hit = row.name === run.faultNode;
      const from = hit && begun ? box.x(begun.at) : box.gutter;
      svg.append(el('rect', {class: 'row', x: box.gutter, y: row.y, width: Math.max(0, end - box.gutter), height: row.h}));
      if (hit) svg.append(el('rect', {class: 'faultrow', x: from, y: row.y, width: Math.max(0, end - from), height: row.h}));
      const middle = row.y + row.h / 2;
      const master = row.name === run.amNode;
      svg.append(text(box.gutter - SPACE, middle + (hit || master ? -2 : 4), short(row.name), {'text-anchor': 'end', 'font-weight': 600, 'font-size': NAME_SIZE}));
      if (hit) {
        svg.append(text(box.gutter - SPACE, middle + 12, label, {'text-anchor': 'end', class: 'faulttext', 'font-weight': 600}));
      } else if (master) {
        svg.append(text(box.gutter - SPACE, middle + 12, 'AM', {'text-anchor': 'end', class: 'dim'}));
      }
    }
    const racks = new Map();
    for (const row of box.rows) {
      const r = racks.get(row.rack) || {from: row.y};
      r.to = row.y + row.h;
      racks.set(row.rack, r);
    }
    racks.forEach((r, name) => {
      svg.append(el('line', {class: 'rackline', x1: 20.5, x2: 20.5, y1: r.from, y2: r.to}));
      const middle = (r.from + r.to) / 2;
      svg.append(text(12, middle, name.replace(/^\//, ''), {class: 'dim', 'text-anchor': 'middle', transform: `rotate(-90 12 ${middle})`}));
    });
    for (const t of ticks(box.last, box.width - box.gutter - RIGHT)) {
      const x = box.x(t);
      svg.append(el('line', {class: 'grid', x1: x, x2: x, y1: TOP, y2: box.bottom + 3}));
      svg.append(text(x, box.bottom + 16, t + ' s', {class: 'dim', 'text-anchor': 'middle'}));
    }
    if (clean !== undefined && run.mode !== 'clean') {
      const x = box.x(clean);
      // Left of the line, unless the job ended there: then right of it, below the time won.
      const room = end > x || x - end > 200;
      svg.append(el('line', {class: 'cleanline', x1: x, x2: x, y1: room ? TOP - 16 : TOP, y2: box.bottom}));
      svg.append(text(room ? x - 6 : x + 6, room ? TOP - 8 : TOP - 3, 'without the fault ' + seconds(clean), {class: 'dim', 'text-anchor': room ? 'end' : 'start'}));
    }
    svg.append(el('line', {class: 'end', x1: end, x2: end, y1: TOP - 22, y2: box.bottom}));
    const own = seconds(run.jobSeconds);
    svg.append(text(end + 6, TOP - 12, own, {class: 'endtext'}));
    if (off !== undefined && run.good && run.jobSeconds < off) saved(svg, end + 14 + own.length * 8, box.x(off), off - run.jobSeconds);
  }

  // The time won against the run without speculation, where the chart is empty.
  function saved(svg, from, to, time) {
    const label = '− ' + seconds(time);
    const middle = (from + to) / 2, half = label.length * 3.2 + 8;
    if (middle - half < from + 6) return;
    const y = TOP - 16;
    svg.append(el('path', {class: 'saved', d: `M${from} ${y}H${middle - half}M${middle + half} ${y}H${to}M${to} ${y - 6}V${y + 6}`}),
        text(middle, y + 4, label, {class: 'savedtext', 'text-anchor': 'middle'}));
  }

  function name(a) {
    return a.task + (ROLE[a.role] ? ' ' + ROLE[a.role] : '');
  }

  function fill(a) {
    const kind = a.outcome === 'FAILED' ? 'fault' : a.kind;
    return {KILLED: `url(#hatch-${kind})`, FAILED: 'url(#cross-fault)', OUTPUT_LOST: `url(#dots-${kind})`}[a.outcome];
  }

  function bar(a, x, y, w, h) {
    const g = el('g', {class: `attempt ${a.kind} ${a.outcome} task-${a.task}`});
    const radius = a.kind === 'reduce' ? Math.min(h / 2, w / 2) : 1.5;
    const shape = {x, y, width: w, height: h, rx: radius};
    const body = el('rect', {class: 'body', ...shape});
    if (fill(a)) body.style.fill = fill(a);
    g.append(body);
    return {g, shape};
  }

  function attempt(a, run, box) {
    const x = box.x(a.start), y = box.y(a), h = box.lane;
    const w = Math.max(2, box.x(a.end) - x);
    const {g, shape} = bar(a, x, y, w, h);
    if (a.shuffled !== undefined && a.outcome === 'WON') {
      const r = Math.min(h / 2, w / 2);
      const fetched = Math.max(x + r, box.x(a.shuffled)), merged = Math.max(fetched, box.x(a.sorted ?? a.shuffled));
      g.append(el('path', {class: 'fetch', d: `M${fetched} ${y}H${x + r}a${r} ${r} 0 0 0 0 ${2 * r}H${fetched}Z`}));
      g.append(el('rect', {class: 'merge', x: fetched, y, width: merged - fetched, height: h}));
    }
    if (a.role === 'COPY') g.append(el('rect', {class: 'copy', ...shape}));
    if (a.role === 'CLONE') g.append(el('rect', {class: 'clone', ...shape}));
    const isFault = a.task === run.faultTask && (a.attempt === 0 || run.faultLabel.includes('data'));
    if (isFault) g.append(el('rect', {class: 'faultmark', ...shape}));
    const room = w - 8;
    const label = [name(a), a.task + (a.role === 'FIRST' ? '' : '+'), a.task].find(s => s.length * 6 <= room);
    if (label && h >= 11) {
      const solid = a.outcome === 'WON' && a.shuffled === undefined;
      g.append(text(x + (a.kind === 'reduce' ? 8 : 5), y + h / 2 + 3.8, label, {class: solid ? 'on' : a.outcome === 'WON' ? 'pale' : 'halo'}));
    }
    if (isFault && run.faultLabel) {
      const inside = a.outcome === 'WON' && room > 160;
      g.append(inside ? text(x + w - 6, y + h / 2 + 3.8, run.faultLabel, {class: 'on', 'text-anchor': 'end'})
          : text(x + w + 6, y + h / 2 + 3.8, run.faultLabel, {class: 'halo faulttext', 'font-weight': 600}));
    }
    g.append(el('rect', {class: 'focus', x: x - 2, y: y - 2, width: w + 4, height: h + 4, rx: 3}));
    g.setAttribute('role', 'img');
    g.setAttribute('aria-label', [title(a), ...lines(a)].join('. '));
    g.about = {title: title(a), lines: lines(a), task: a.task, at: a.start};
    return g;
  }

  function title(a) {
    const role = {COPY: ', a copy', CLONE: ', a clone', RETRY: ', a retry'}[a.role] || '';
    return `${a.kind === 'map' ? 'Map' : 'Reduce'} ${a.task.slice(1)}, attempt ${a.attempt}${role}, on ${a.node}`;
  }

  function lines(a) {
    const all = [`${seconds(a.start)} to ${seconds(a.end)}, ${seconds(a.end - a.start)} in all`, capital(OUTCOME[a.outcome])];
    if (a.shuffled !== undefined) {
      const sorted = a.sorted ?? a.shuffled;
      all.push(`Fetch ${seconds(a.shuffled - a.start)}, merge ${seconds(sorted - a.shuffled)}, reduce ${seconds(a.end - sorted)}`);
    }
    if (a.diagnostics) all.push(a.diagnostics);
    return all;
  }
  const capital = s => s.charAt(0).toUpperCase() + s.slice(1);

  function place(d, box) {
    const a = d.about;
    const x = box.x(d.at);
    return {x, y: a && box.row(a.node) ? box.y(a) + box.lane / 2 : TOP - 12};
  }

  // From a decision to the attempt it led to, or from the moment a copy began to the attempt it is a copy of.
  function link(from, to, box, guess) {
    const x = box.x(to.start), y = box.y(to) + box.lane / 2;
    const bend = Math.max(10, Math.abs(x - from.x) / 2);
    const d = guess ? `M${from.x} ${from.y}L${x} ${y}` : `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${x - bend - 4} ${y} ${x - 1} ${y}`;
    return el('path', {class: `link${guess ? ' guess' : ''} task-${to.task}`, d, ...(guess ? {} : {'marker-end': 'url(#arrow)'})});
  }

  function mark(d, x, y) {
    const shape = d.action === 'KILL_AND_RESTART' || d.action === 'PRUNE'
        ? el('rect', {class: 'mark', x: x - MARK + 0.5, y: y - MARK + 0.5, width: 2 * MARK - 1, height: 2 * MARK - 1, rx: 2})
        : el('circle', {class: 'mark', cx: x, cy: y, r: MARK});
    return [shape, text(x, y + 3.6, d.number, d.number > 9 ? {class: 'two'} : {})];
  }

  function decision(d, box) {
    const {x, y} = place(d, box);
    const about = {title: `${d.number}. ${action(d)} ${taskOf(d)} at ${seconds(d.at)}`, lines: reasons(d), task: taskOf(d), at: d.at};
    const g = el('g', {class: `decision task-${about.task}${isDone(d) ? '' : ' observed'}`, role: 'img', 'aria-label': [about.title, ...about.lines].join('. ')},
        ...mark(d, x, y), el('circle', {class: 'focus', cx: x, cy: y, r: MARK + 3}));
    g.about = about;
    return g;
  }
  const isDone = d => d.mode !== 'observe' && !d.refused;

  function reasons(d) {
    const known = [];
    if (d.stopped || typeof d.tRem === 'number') known.push('t_rem ' + remaining(d) + (d.basis ? ' by ' + String(d.basis).toLowerCase() : ''));
    if (typeof d.tNew === 'number') known.push('E[t_new] ' + seconds(d.tNew));
    if (typeof d.probability === 'number') known.push('P ' + d.probability.toFixed(2));
    if (typeof d.observations === 'number' && d.action !== 'PRUNE') known.push(d.observations + ' observations');
    const all = [sentence(d), known.join(', ')];
    if (d.mode === 'observe') all.push('Only observed: nothing was done');
    if (d.refused) all.push('Not carried out: ' + (d.refused.why || 'refused'));
    return all.filter(s => s);
  }

  function draw(run, box, times, describe) {
    const svg = el('svg', {class: 'chart', viewBox: `0 0 ${box.width} ${box.height}`, role: 'group', 'aria-roledescription': 'time line'});
    svg.append(el('title', {}, describe.title), el('desc', {}, describe.desc));
    frame(svg, run, box, times.clean, run.mode === 'off' ? undefined : times.off);
    const placed = run.attempts.filter(a => box.row(a.node));
    const bars = placed.map(a => attempt(a, run, box));
    bars.forEach(b => svg.append(b));
    const made = decided(run);
    const led = new Set(made.map(d => d.led).filter(a => a));
    for (const a of placed.filter(a => a.role === 'COPY' && !led.has(a))) {
      const first = placed.find(o => o.task === a.task && o !== a && o.start < a.start && o.end >= a.start);
      if (first) svg.append(link({x: box.x(a.start), y: box.y(first) + box.lane / 2}, a, box, true));
    }
    made.filter(d => d.led && box.row(d.led.node)).forEach(d => svg.append(link(place(d, box), d.led, box, false)));
    const marks = made.map(d => decision(d, box));
    marks.forEach(m => svg.append(m));
    return {svg, items: [...bars, ...marks].sort((p, q) => p.about.at - q.about.at), decisions: made};
  }

  return {el, text, draw, layout, bar, mark, decided, sentence, remaining, seconds, action, taskOf, isDone, acts};
})();

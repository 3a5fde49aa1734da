// SPDX-License-Identifier: Apache-2.0
'use strict';
// How full the cluster was during a run: utilisation as a line, what clones held of it as an area, the ceiling dashed.
const Ceiling = (() => {
  const TOP = 34, PLOT = 132, BOTTOM = 24, RIGHT = 64;
  const {el, text, seconds} = Chart;
  const percent = share => Math.round(share * 100) + ' %';
  const clones = n => `${n} ${n === 1 ? 'clone' : 'clones'}`;

  // One time scale for all runs that are to be compared; whole seconds, so that ticks are.
  function layout(runs, width) {
    const all = runs.flatMap(r => r.ceiling.samples.map(s => s.at));
    const from = Math.floor(Math.min(0, ...all)), to = Math.ceil(Math.max(1, ...runs.map(r => r.jobSeconds), ...all));
    const gutter = width < 720 ? 82 : 138;
    return {width, gutter, from, to, height: TOP + PLOT + BOTTOM, x: t => gutter + (width - gutter - RIGHT) * (t - from) / (to - from),
      y: share => TOP + PLOT * (1 - Math.min(1, share))};
  }

  function line(points) {
    return points.map(([x, y], i) => (i ? 'L' : 'M') + x.toFixed(1) + ' ' + y.toFixed(1)).join('');
  }

  // What is seen at a look holds until the next one.
  function steps(box, samples, share) {
    const points = [];
    for (const s of samples) {
      const x = box.x(s.at), y = box.y(share(s));
      if (points.length) points.push([x, points[points.length - 1][1]]);
      points.push([x, y]);
    }
    return points;
  }

  function area(box, samples) {
    const points = steps(box, samples, s => s.cloneShare);
    return line([[points[0][0], box.y(0)], ...points, [points[points.length - 1][0], box.y(0)]]) + 'Z';
  }

  function frame(svg, box, tau) {
    svg.append(el('rect', {class: 'row', x: box.gutter, y: TOP, width: box.x(box.to) - box.gutter, height: PLOT}));
    for (const share of [0, 0.5, 1]) {
      const y = box.y(share);
      svg.append(el('line', {class: 'grid', x1: box.gutter, x2: box.x(box.to), y1: y, y2: y}),
          text(box.gutter - 10, y + 4, percent(share), {class: 'dim', 'text-anchor': 'end'}));
    }
    const step = box.to - box.from > 90 ? 20 : box.width < 720 ? 10 : 5;
    for (let t = Math.ceil(box.from / step) * step; t <= box.to; t += step) {
      const x = box.x(t);
      svg.append(el('line', {class: 'grid', x1: x, x2: x, y1: TOP, y2: box.y(0) + 3}),
          text(x, box.y(0) + 17, (t < 0 ? '− ' : '') + Math.abs(t) + ' s', {class: 'dim', 'text-anchor': 'middle'}));
    }
    const y = box.y(tau);
    svg.append(el('line', {class: 'tau', x1: box.gutter, x2: box.x(box.to), y1: y, y2: y}),
        text(box.gutter - 10, y + 4, percent(tau) + ' (tau)', {'text-anchor': 'end', class: 'tautext'}));
  }

  function moment(svg, box, at, label, anchor) {
    const x = box.x(at);
    svg.append(el('line', {class: 'end', x1: x, x2: x, y1: TOP - 16, y2: box.y(0)}),
        text(x + (anchor === 'end' ? -6 : 6), TOP - 7, label, {class: 'endtext', 'text-anchor': anchor}));
  }

  // Demand alone drives clones out, so that they may be gone before utilisation shows it.
  const after = c => c.reclaimSeconds < 0.05 ? 'when' : seconds(c.reclaimSeconds) + ' after';

  // Where the clones were gone, and how long that was after the cluster was too full for them.
  function reclaim(svg, box, c) {
    if (c.reclaimedAt === undefined) return;
    const x = box.x(c.reclaimedAt), y = box.y(0.33);
    svg.append(el('line', {class: 'reclaim', x1: x, x2: x, y1: box.y(c.tau), y2: box.y(0)}),
        el('circle', {class: 'reclaimdot', cx: x, cy: box.y(0), r: 4}),
        text(x + 9, y, 'no clone left', {class: 'halo savedtext'}),
        text(x + 9, y + 15, `${after(c)} ${percent(c.tau)} was crossed`, {class: 'halo'}));
  }

  function words(run, name) {
    const c = run.ceiling;
    const all = [`${name}: utilisation and clones over time`, c.peakClones ? `at most ${clones(c.peakClones)}` : 'no clones'];
    if (c.crossedAt !== undefined) all.push(`utilisation rose above ${percent(c.tau)} ${seconds(c.crossedAt)} after the big job was submitted`);
    if (c.reclaimedAt !== undefined) all.push(c.reclaimSeconds < 0.05 ? 'then no clone was left' : `${seconds(c.reclaimSeconds)} later no clone was left`);
    all.push(`the big job ended at ${seconds(run.jobSeconds)}`);
    return all.join('. ') + '.';
  }

  function facts(run) {
    const c = run.ceiling;
    const small = 'small jobs ' + c.smallJobSeconds.map(seconds).join(' and ');
    const all = [c.peakClones ? `at most ${clones(c.peakClones)}, ${c.clonesKilled} killed` : 'no clones', 'big job ' + seconds(run.jobSeconds), small];
    if (c.samplesMissed) all.push(`${c.samplesMissed} looks failed`);
    return all.join(' · ');
  }

  function draw(run, box, name) {
    const c = run.ceiling;
    const svg = el('svg', {class: 'chart use', viewBox: `0 0 ${box.width} ${box.height}`, role: 'img', 'aria-label': words(run, name)});
    frame(svg, box, c.tau);
    if (c.samples.length) {
      if (c.peakClones) svg.append(el('path', {class: 'clonearea', d: area(box, c.samples)}));
      svg.append(el('path', {class: 'inuse', d: line(steps(box, c.samples, s => s.utilisation))}));
      for (const at of c.killedAt) svg.append(el('line', {class: 'killed', x1: box.x(at), x2: box.x(at), y1: box.y(0) - 7, y2: box.y(0)}));
    }
    moment(svg, box, 0, 'the big job is submitted', 'end');
    moment(svg, box, run.jobSeconds, seconds(run.jobSeconds), 'start');
    reclaim(svg, box, c);
    return svg;
  }

  // What the marks mean; `item` makes an entry of a picture of some width and its words.
  function key(item, withClones) {
    const all = [item(34, 'in use', el('path', {class: 'inuse', d: 'M0 8H34'})), item(34, 'tau, the ceiling of clones', el('path', {class: 'tau', d: 'M0 8H34'}))];
    if (withClones) {
      all.push(item(34, 'of that, clones', el('path', {class: 'clonearea', d: 'M0 15V4H34V15Z'})),
          item(6, 'a clone is killed', el('line', {class: 'killed', x1: 3, x2: 3, y1: 4, y2: 13})),
          item(10, 'no clone is left', el('circle', {class: 'reclaimdot', cx: 5, cy: 8, r: 4})));
    }
    return all;
  }

  return {layout, draw, facts, key};
})();

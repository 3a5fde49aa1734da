// SPDX-License-Identifier: Apache-2.0
'use strict';
// The jobs of a stream: a row for each, from its submission to its end.
const Stream = (() => {
  const TOP = 6, ROW = 9, GAP = 3, BOTTOM = 24, RIGHT = 12, GUTTER = 118;
  const {el, text, seconds} = Chart;
  const ENDS = {succeeded: 'succeeded', failed: 'failed', ended: 'was ended by Drover', other: 'was killed'};

  // One time scale for all runs that are to be compared.
  function layout(runs, width) {
    const to = Math.ceil(Math.max(...runs.flatMap(r => r.stream.jobs.map(j => j.finished))));
    const rows = Math.max(...runs.map(r => r.stream.jobs.length));
    return {width, to, bottom: TOP + rows * (ROW + GAP), height: TOP + rows * (ROW + GAP) + BOTTOM,
      x: t => GUTTER + (width - GUTTER - RIGHT) * t / to, y: row => TOP + row * (ROW + GAP)};
  }

  function axis(svg, box) {
    const step = box.to > 200 ? 30 : box.to > 90 ? 20 : 10;
    for (let t = 0; t <= box.to; t += step) {
      const x = box.x(t);
      svg.append(el('line', {class: 'grid', x1: x, x2: x, y1: TOP, y2: box.bottom + 3}),
          text(x, box.bottom + 17, t + ' s', {class: 'dim', 'text-anchor': 'middle'}));
    }
  }

  function bar(job, row, box) {
    const shape = {x: box.x(job.submitted), y: box.y(row), width: Math.max(2, box.x(job.finished) - box.x(job.submitted)), height: ROW, rx: 1.5};
    const g = el('g', {class: `job ${job.end} task-j${row}`, role: 'img'}, el('rect', {class: 'body', ...shape}),
        el('rect', {class: 'focus', x: shape.x - 1.5, y: shape.y - 1.5, width: shape.width + 3, height: ROW + 3, rx: 2}));
    g.about = {title: `${job.program}, job ${row + 1}`, task: 'j' + row, lines: [
      `It ${ENDS[job.end]} after ${seconds(job.finished - job.submitted)}.`, `Its containers ran ${seconds(job.machineSeconds)} in all.`, job.jobId]};
    g.setAttribute('aria-label', [g.about.title, ...g.about.lines].join('. '));
    return g;
  }

  function facts(run) {
    const s = run.stream;
    const all = [`${s.failingEnded} of ${s.failing} failing jobs ended by Drover`];
    all.push(s.othersEnded ? `${s.othersEnded} good ones, too` : 'no good one', `${seconds(run.jobSeconds)} from the first to the last`);
    return all.join(' · ');
  }

  function draw(run, box, name) {
    const svg = el('svg', {class: 'chart', viewBox: `0 0 ${box.width} ${box.height}`, role: 'group', 'aria-label': `${name}: each job of the stream. ${facts(run)}.`});
    axis(svg, box);
    const items = run.stream.jobs.map((job, row) => bar(job, row, box));
    run.stream.jobs.forEach((job, row) => {
      svg.append(text(GUTTER - 8, box.y(row) + ROW - 1, job.program, {class: job.fails ? 'faulttext' : 'dim', 'text-anchor': 'end'}));
    });
    svg.append(...items);
    return {svg, items};
  }

  // What the marks mean; `item` makes an entry of a picture of some width and its words.
  function key(item) {
    return ['succeeded', 'failed', 'ended'].map(end => item(34, {succeeded: 'succeeded', failed: 'failed', ended: 'ended by Drover after its grace period'}[end],
        el('g', {class: 'job ' + end}, el('rect', {class: 'body', x: 0.5, y: 3.5, width: 33, height: ROW, rx: 1.5}))));
  }

  return {layout, draw, facts, key};
})();

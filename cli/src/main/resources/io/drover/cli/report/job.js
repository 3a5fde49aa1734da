// SPDX-License-Identifier: Apache-2.0
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const {el} = Chart;
  const {h, item, cells, head, explore, patterns, redraws} = Parts;
  const {time, words} = Costs;
  const number = n => n.toLocaleString('en');
  const run = data.run;

  // ---- what the time was lost to

  function causes() {
    const rows = Object.entries(data.causes).map(([key, cost]) => ({name: words(key), cost, mended: false,
      note: [...data.stragglers, ...data.phases].filter(s => s.cause === key).map(s => s.task || s.kind + 's').slice(0, 8).join(' ')}));
    if (!rows.length) return h('p', {class: 'empty'}, 'No task of this job was slow against the others of its phase, and none waited long for a slot.');
    return h('div', {}, Costs.bars(rows, data.seconds, 'What the time was lost to'),
      h('p', {class: 'key'}, 'By how much the job was longer, with the share of its time, and the tasks that were slow.'));
  }

  function slowTasks() {
    if (!data.stragglers.length && !data.phases.length) return undefined;
    const table = h('table', {}, h('caption', {}, 'What was slow, and why'));
    const body = head(table, [['task', true], ['machine', true], ['took'], ['usual'], ['cost'], ['cause', true], ['evidence', true]]);
    for (const s of data.stragglers) {
      body.append(cells(h('tr'), [h('td', {class: 'text'}, s.task), h('td', {class: 'text'}, s.node), time(s.seconds), time(s.usualSeconds),
        h('td', {}, h('b', {}, time(s.costSeconds))), h('td', {class: 'text nowrap'}, words(s.cause)), h('td', {class: 'text'}, s.evidence)]));
    }
    for (const p of data.phases) {
      body.append(cells(h('tr'), [h('td', {class: 'text'}, `all ${p.kind}s`), h('td', {class: 'text'}, ''), '–', '–',
        h('td', {}, h('b', {}, time(p.costSeconds))), h('td', {class: 'text nowrap'}, words(p.cause)), h('td', {class: 'text'}, p.evidence)]));
    }
    return h('div', {class: 'decisions'}, h('div', {class: 'scroll'}, table));
  }

  // ---- the time line

  function legend() {
    const list = h('ul', {class: 'legend', 'aria-label': 'Legend'});
    const bar = (a, w) => Chart.bar({task: '', ...a}, 0.5, 1, w - 1, 14).g;
    const has = test => run.attempts.some(test);
    list.append(item(34, 'map', bar({kind: 'map', outcome: 'WON'}, 34)));
    if (has(a => a.kind === 'reduce')) {
      const reduce = bar({kind: 'reduce', outcome: 'WON'}, 60);
      reduce.append(el('path', {class: 'fetch', d: 'M26 1H7.5a7 7 0 0 0 0 14H26Z'}), el('rect', {class: 'merge', x: 26, y: 1, width: 10, height: 14}));
      list.append(item(60, 'reduce: fetch, merge, reduce', reduce));
    }
    for (const [outcome, label] of [['KILLED', 'killed'], ['FAILED', 'failed'], ['OUTPUT_LOST', 'output lost later'], ['UNKNOWN', 'end not recorded']]) {
      if (has(a => a.outcome === outcome)) list.append(item(34, label, bar({kind: 'map', outcome}, 34)));
    }
    if (has(a => a.role === 'COPY')) {
      const copy = bar({kind: 'map', outcome: 'WON'}, 34);
      copy.append(el('rect', {class: 'copy', x: 0.8, y: 1, width: 32.4, height: 14, rx: 1.5}));
      list.append(item(34, 'a copy', copy));
    }
    const acts = run.decisions.filter(Chart.acts);
    const would = acts.some(d => d.mode === 'observe');
    if (acts.length) {
      list.append(item(16, would ? 'where Drover would have acted' : 'where Drover acted',
        el('g', {class: 'decision' + (would ? ' observed' : '')}, ...Chart.mark({number: 1, action: 'DUPLICATE'}, 8, 8))));
    }
    return list;
  }

  function timeLine() {
    const box = h('div');
    const maps = run.attempts.filter(a => a.kind === 'map').length;
    redraws.push(() => {
      const layout = Chart.layout(data.nodes, [run], Math.max(600, Math.round(box.clientWidth || 1080)));
      const drawn = Chart.draw(run, layout, {}, {title: `${data.attemptsLeftOut ? 'Attempts' : 'Every attempt'} of ${data.job}`,
        desc: `${maps} attempts of maps and ${run.attempts.length - maps} of reduces on ${data.nodes.length} nodes. The arrow keys go from one to the next.`});
      explore(drawn.svg, drawn.items);
      box.replaceChildren(h('figure', {}, drawn.svg));
    });
    const leftOut = data.attemptsLeftOut ? h('p', {class: 'lede'}, `Attempts that are not drawn: ${number(data.attemptsLeftOut)}. There is room for ${number(data.mostAttempts)} on ${data.mostMachines} machines; those of slow tasks come first, dearest first.`) : undefined;
    return h('section', {}, h('h2', {}, data.attemptsLeftOut ? 'Attempts, those of slow tasks first' : 'Every attempt of every task'),
      h('p', {class: 'lede'}, 'A band for each machine, a bar for each attempt; the end of the line is the end of the job. Point at a bar, or move with the arrow keys, to see its details.'), leftOut, legend(), box);
  }

  function decisions() {
    const made = run.decisions.filter(Chart.acts);
    if (!made.length) return undefined;
    const would = made.some(d => d.mode === 'observe');
    const table = h('table', {}, h('caption', {}, would ? 'What Drover would have done' : 'What Drover did, and why'));
    const body = head(table, [['', true], ['time'], ['task', true], ['action', true], ['why', true], ['t_rem'], ['E[t_new]']]);
    for (const d of Chart.decided(run)) {
      const badge = h('span', {class: `badge ${d.action}${Chart.isDone(d) ? '' : ' observed'}`}, String(d.number));
      body.append(cells(h('tr'), [h('td', {class: 'text'}, badge), h('td', {class: 'nowrap'}, time(d.at)), h('td', {class: 'text'}, Chart.taskOf(d)),
        h('td', {class: 'text nowrap'}, Chart.action(d)), h('td', {class: 'text'}, Chart.sentence(d)), h('td', {class: 'nowrap'}, Chart.remaining(d)),
        h('td', {class: 'nowrap'}, typeof d.tNew === 'number' ? time(d.tNew) : '–')]));
    }
    return h('div', {class: 'decisions'}, h('div', {class: 'scroll'}, table));
  }

  // ---- the page

  page.append(patterns());
  const first = h('section', {}, h('h2', {}, 'What the time was lost to'), causes(), h('p', {class: 'verdict'}, data.about));
  if (data.outputs) first.append(h('p', {}, data.outputs));
  for (const sentence of data.leftOut) first.append(h('p', {}, sentence));
  page.append(first);
  const slow = slowTasks();
  if (slow) first.append(slow);
  if (run.attempts.length) {
    const line = timeLine();
    const did = decisions();
    if (did) line.append(did);
    page.append(line);
  } else {
    page.append(h('p', {class: 'empty'}, 'The history has no attempt: there is nothing to draw.'));
  }
  document.getElementById('foot').append(
    h('p', {}, 'A task is slow if it took longer than 1.5 times the median of its phase. Cost: the time by which the job was longer; where several slow tasks ran at once, each has an equal share of it. t_rem: the expected remaining time of an attempt; E[t_new]: the expected time of a new one.'),
    h('p', {}, `drover ${data.version}`));
  Parts.drawAll();
})();

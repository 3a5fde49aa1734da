// SPDX-License-Identifier: Apache-2.0
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const MODE = {clean: 'Without the fault', off: 'No speculation', record: 'Drover records', stock: 'Stock Hadoop', restart: 'Drover, no clones', remake: 'Drover, no replicas', drover: 'Drover'};
  const {el, seconds} = Chart;
  const {h, item, cells, head, explore, patterns, redraws} = Parts;

  const percent = share => Math.round(share * 100) + ' %';
  const many = s => s.repeats > 1;
  const unit = s => s.series > 1 ? 'job' : 'run';
  const modes = s => Object.keys(MODE).filter(m => s.summary[m]);
  const plural = (n, one, more) => `${n} ${n === 1 ? one : more}`;
  // What was started as a clone is called one, not a copy.
  for (const run of data.scenarios.flatMap(s => s.runs)) {
    for (const d of run.decisions.filter(d => d.type === 'clone' && d.mode === 'on')) {
      const clone = run.attempts.find(a => a.id === d.attempt);
      if (clone && clone.role === 'COPY') clone.role = 'CLONE';
    }
  }
  const runOf = (s, mode, repeat) => s.runs.find(r => r.mode === mode && r.repeat === repeat);

  // ---- the race

  function race(s) {
    const grid = h('div', {class: 'race'});
    const times = modes(s).map(m => s.summary[m].jobSeconds).filter(t => t);
    if (!times.length) return grid;
    const most = Math.max(...times.map(t => t.max));
    const clean = s.summary.clean?.jobSeconds?.median;
    for (const m of modes(s)) {
      const time = s.summary[m].jobSeconds;
      const own = m === 'drover' ? ' drover' : '';
      grid.append(h('div', {class: 'name' + own}, MODE[m]));
      grid.append(h('div', {class: 'time' + own}, time ? time.median.toFixed(1) : 'failed', time ? h('small', {}, ' s') : undefined));
      grid.append(h('div', {class: 'bar'}, time ? raceBar(s, m, time, clean, most) : ''));
      const won = s.summary[m].recovered;
      grid.append(won ? h('div', {class: 'won' + own}, h('b', {}, percent(Math.abs(won.median))), h('small', {}, won.median < -0.005 ? ' added' : ' won back')) : h('div', {class: 'won'}));
    }
    const key = [];
    if (clean !== undefined) key.push('Job time. Behind the dashed line: what the fault cost.');
    if (s.series > 1) key.push(`Medians of ${s.repeats} jobs; each dot is a job, and 95 % of them ended before the vertical line.`);
    else if (many(s)) key.push(`Medians of ${s.repeats} runs; the thin lines reach from the shortest to the longest.`);
    grid.append(h('p', {class: 'key'}, key.join(' ')));
    return grid;
  }

  function raceBar(s, m, time, clean, most) {
    const at = t => (100 * t / most) + '%';
    const svg = el('svg', {'aria-hidden': 'true'});
    const base = m !== 'clean' && clean !== undefined ? Math.min(clean, time.median) : 0;
    if (base) svg.append(el('rect', {class: `base bar-${m}`, x: 0, y: 6, width: at(base), height: 22}));
    svg.append(el('rect', {class: `bar-${m}${m === 'clean' ? ' base' : ''}`, x: at(base), y: 6, width: at(time.median - base), height: 22}));
    if (clean !== undefined) svg.append(el('line', {class: 'cleanline', x1: at(clean), x2: at(clean), y1: -9, y2: 43}));
    if (s.series > 1) {
      for (const run of s.runs.filter(r => r.mode === m && r.good)) svg.append(el('circle', {class: 'jobdot', cx: at(run.jobSeconds), cy: 17, r: 2.6}));
      const late = s.summary[m].p95;
      if (late !== undefined) svg.append(el('line', {class: 'late', x1: at(late), x2: at(late), y1: 2, y2: 32}));
    } else if (many(s) && time.max > time.min) svg.append(el('line', {class: 'whisker', x1: at(time.min), x2: at(time.max), y1: 17, y2: 17}));
    return svg;
  }

  // ---- what crossed the links between racks

  function links(s) {
    const runs = modes(s).map(m => runOf(s, m, s.typical[m])).filter(r => r && r.links);
    if (!runs.length) return undefined;
    const most = Math.max(...runs.flatMap(r => r.links.flatMap(l => [l.up, l.down])));
    const digits = most < 2e6 ? 2 : 1;
    const grid = h('div', {class: 'links', role: 'img', 'aria-label': 'Bytes that crossed each link between racks in the shuffle'});
    for (const rack of runs[0].links.map(l => l.rack)) {
      for (const [way, text] of [['up', 'out of '], ['down', 'into ']]) {
        grid.append(h('div', {class: 'name'}, text + rack.replace(/^\//, '')));
        const bars = h('div', {class: 'pair'});
        for (const run of runs) {
          const bytes = run.links.find(l => l.rack === rack)?.[way] ?? 0;
          const busiest = bytes === run.maxLinkBytes;
          bars.append(h('div', {class: 'row'}, h('span', {class: `load bar-${run.mode}${busiest ? ' busiest' : ''}`, style: `width:${Math.max(0.4, 78 * bytes / most)}%`}),
            h('span', {class: 'value'}, (bytes / 1e6).toFixed(digits) + ' MB' + (busiest ? ', the busiest' : ''))));
        }
        grid.append(bars);
      }
    }
    const key = h('p', {class: 'key'}, 'What reduces fetched from other racks, by link: ');
    runs.forEach((run, i) => key.append(i ? ', ' : '', h('span', {class: `swatch bar-${run.mode}`}), ' ' + MODE[run.mode]));
    return h('div', {}, grid, key);
  }

  // ---- how full the cluster was

  const shown = (s, choice) => modes(s).map(m => runOf(s, m, choice === 'typical' ? s.typical[m] : Number(choice))).filter(r => r);

  function use(s, one) {
    const runs = shown(s, 'typical').filter(r => r.ceiling);
    if (!runs.length) return undefined;
    const box = h('div');
    redraws.push(() => {
      const layout = Ceiling.layout(runs, Math.max(600, Math.round(box.clientWidth || 1080)));
      box.replaceChildren(...runs.map(run => h('figure', {}, h('figcaption', {}, h('h3', {}, MODE[run.mode]), h('span', {class: 'facts'}, Ceiling.facts(run))),
        Ceiling.draw(run, layout, MODE[run.mode]))));
    });
    return h('section', one ? {} : {class: 'inner'}, h(one ? 'h2' : 'h3', {}, 'How full the cluster was'),
      h('p', {class: 'lede'}, 'The share of the containers’ memory that was in use, as counted by the ResourceManager. Both charts have the same scale; times are since the submission of the big job.'),
      h('ul', {class: 'legend', 'aria-label': 'Legend'}, ...Ceiling.key(item, runs.some(r => r.ceiling.peakClones))), box);
  }

  // ---- which blocks were read where

  function blocks(s, one) {
    // Only the runs of one repeat have the same slots free.
    const runs = shown(s, s.typical.drover ?? 'typical').filter(r => r.sample);
    if (!runs.length) return undefined;
    const box = h('div');
    redraws.push(() => {
      const layout = Sampling.layout(data.nodes, runs, Math.max(600, Math.round(box.clientWidth || 1080)));
      box.replaceChildren(...runs.map(run => {
        const drawn = Sampling.draw(run, layout, MODE[run.mode]);
        explore(drawn.svg, drawn.items);
        const choice = Sampling.choice(run);
        return h('figure', {}, h('figcaption', {}, h('h3', {}, MODE[run.mode]), h('span', {class: 'facts'}, Sampling.facts(run))), drawn.svg,
          choice ? h('p', {class: 'empty'}, choice) : undefined);
      }));
    });
    return h('section', one ? {} : {class: 'inner'}, h(one ? 'h2' : 'h3', {}, 'Which blocks were read where'),
      h('p', {class: 'lede'}, `${many(s) ? `This is run ${runs[0].repeat}. ` : ''}Each block lies on one node. The job needs any ${runs[0].sample.needed} of ${runs[0].sample.hosts.length}. Stock Hadoop got its blocks before the start, drawn at random; a map of Drover’s took its block when its container came. ${runs[0].uplinkBytes === undefined ? 'All nodes are on one machine here, so blocks of other nodes are read as fast as local ones, and the job time does not show what locality saves.' : 'The uplinks of the racks are slow here, so blocks of other racks take their time.'} Reduces of stock Hadoop start early and hold slots while maps wait for one; Drover’s start when enough blocks have been read.`),
      h('ul', {class: 'legend', 'aria-label': 'Legend'}, ...Sampling.key(item)), box);
  }

  // ---- the jobs of a stream

  function machines(s) {
    const runs = shown(s, 'typical').filter(r => r.stream);
    if (!runs.length) return undefined;
    const kinds = [['failingMachineSeconds', 'the program that fails'], ['otherMachineSeconds', 'the other programs']];
    const most = Math.max(...runs.flatMap(r => kinds.map(([key]) => r.stream[key])));
    const grid = h('div', {class: 'links', role: 'img', 'aria-label': 'How long the containers of jobs ran'});
    for (const [key, name] of kinds) {
      const bars = h('div', {class: 'pair'});
      for (const run of runs) {
        bars.append(h('div', {class: 'row'}, h('span', {class: `load bar-${run.mode}`, style: `width:${Math.max(0.4, 84 * run.stream[key] / most)}%`}),
          h('span', {class: 'value'}, Math.round(run.stream[key]) + ' s')));
      }
      grid.append(h('div', {class: 'name'}, name), bars);
    }
    const note = h('p', {class: 'key'}, 'How long the containers of all its jobs ran, their AppMasters included: ');
    runs.forEach((run, i) => note.append(i ? ', ' : '', h('span', {class: `swatch bar-${run.mode}`}), ' ' + MODE[run.mode]));
    return h('div', {}, grid, note);
  }

  function stream(s, one) {
    const runs = shown(s, 'typical').filter(r => r.stream);
    if (!runs.length) return undefined;
    const box = h('div');
    redraws.push(() => {
      const layout = Stream.layout(runs, Math.max(600, Math.round(box.clientWidth || 1080)));
      box.replaceChildren(...runs.map(run => {
        const drawn = Stream.draw(run, layout, MODE[run.mode]);
        explore(drawn.svg, drawn.items);
        return h('figure', {}, h('figcaption', {}, h('h3', {}, MODE[run.mode]), h('span', {class: 'facts'}, Stream.facts(run))), drawn.svg);
      }));
    });
    return h('section', one ? {} : {class: 'inner'}, h(one ? 'h2' : 'h3', {}, 'Every job'),
      h('p', {class: 'lede'}, 'A row for each job, from its submission to its end. The scheduler learns from the jobs in Hadoop’s AppMaster, and ends only those in Drover’s. One in ten that it could end goes on, so that it learns whether it would be right.'),
      h('ul', {class: 'legend', 'aria-label': 'Legend'}, ...Stream.key(item)), box);
  }

  // ---- tables

  const range = s => !s ? '–' : s.min === s.max ? String(Math.round(s.median)) : `${Math.round(s.min)}–${Math.round(s.max)}`;
  function spreadOf(runs, key) {
    const values = runs.filter(r => r.good).map(r => r[key]);
    return values.length ? {min: Math.min(...values), median: values[0], max: Math.max(...values)} : undefined;
  }

  function figures(s) {
    const table = h('table', {});
    const columns = s.series > 1 ? ['min', 'median', 'p95', 'max'] : ['min', 'median', 'max'];
    const time = many(s) ? columns.map(c => [c]) : [['job time']];
    const body = head(table, [[many(s) ? 'job time, seconds' : ''], ...time, ['recovered'], ['copies'], ['won'], ['lost'], ['restarts'], ['task time'], ['wasted'], ['output']]);
    for (const m of modes(s)) {
      const sum = s.summary[m], runs = s.runs.filter(r => r.mode === m);
      const fail = runs.some(r => !r.good), equal = runs.every(r => r.outputEqual);
      const t = sum.jobSeconds;
      const times = many(s) ? columns.map(k => t ? (k === 'p95' ? sum.p95 : t[k]).toFixed(1) : '–') : [t ? seconds(t.median) : '–'];
      const last = h('td', fail || !equal ? {class: 'bad'} : {}, fail ? 'job failed' : s.load ? 'right' : equal ? 'equal' : 'differs');
      body.append(cells(h('tr', m === 'drover' ? {class: 'drover'} : {}), [h('th', {scope: 'row'}, MODE[m]), ...times,
        sum.recovered ? percent(sum.recovered.median) : '–', ...['copies', 'copiesWon', 'copiesLost', 'restarts'].map(k => range(spreadOf(runs, k))),
        sum.taskSeconds ? seconds(sum.taskSeconds.median) : '–', sum.wastedSeconds ? seconds(sum.wastedSeconds.median) : '–', last]));
    }
    const note = h('p', {class: 'empty'}, 'The outputs differ by design: each run reads another sample. “Right” means that an output is what a plain job computes from exactly the blocks that the run read.');
    return h('div', {}, h('div', {class: 'scroll'}, table), s.load ? note : undefined);
  }

  function overview() {
    const table = h('table', {class: 'overview'}, h('caption', {}, `Job times${data.repeats > 1 ? `, medians of ${data.repeats} runs` : ''}, and the share of the fault’s cost that was won back`));
    const body = head(table, [['what goes wrong', true], ['without it'], ['no speculation'], ['stock Hadoop'], ['Drover'], ['stock won back'], ['Drover won back']]);
    for (const s of data.scenarios) {
      const time = m => s.summary[m]?.jobSeconds ? seconds(s.summary[m].jobSeconds.median) : '–';
      const won = m => s.summary[m]?.recovered ? percent(s.summary[m].recovered.median) : '–';
      body.append(cells(h('tr'), [h('th', {scope: 'row'}, h('a', {href: '#' + s.name}, s.noun)), time('clean'), time('off'), time('stock'),
        h('td', {}, h('b', {}, time('drover'))), won('stock'), h('td', {}, h('b', {}, won('drover')))]));
    }
    return h('section', {}, h('div', {class: 'scroll'}, table));
  }

  function cameOf(d, run) {
    if (d.mode === 'observe') return 'only observed';
    if (d.refused) return 'not carried out: ' + (d.refused.why || 'refused');
    if (d.action === 'PRUNE') {
      const winner = run.attempts.find(a => a.task === Chart.taskOf(d) && a.outcome === 'WON');
      if (!winner || !d.about) return '–';
      if (winner === d.about) return 'it was done first after all';
      return winner.end > d.about.end ? `a slot free ${seconds(winner.end - d.about.end)} earlier` : 'no slot came free earlier';
    }
    const settled = run.decisions.find(x => x.type === 'settled' && x.task === d.task && x.at >= d.at);
    if (!d.led) return settled ? 'the task ended first' : '–';
    return (d.led.role === 'COPY' ? 'the copy ' : 'the new attempt ') + (d.led.outcome === 'WON' ? 'won' : 'did not win');
  }

  function decisions(run, made) {
    const all = h('div', {class: 'decisions'});
    const left = run.decisions.filter(d => d.type === 'decision' && d.action === 'LEAVE');
    if (!made.length) {
      all.append(h('p', {class: 'empty'}, left.length ? 'Drover looked, and left every task alone.' : 'Drover logged no decision.'));
    } else {
      const table = h('table', {}, h('caption', {}, 'What Drover did, and why'));
      const body = head(table, [['', true], ['time'], ['task', true], ['action', true], ['why', true], ['t_rem'], ['E[t_new]'], ['result', true]]);
      for (const d of made) {
        const badge = h('span', {class: `badge ${d.action}${Chart.isDone(d) ? '' : ' observed'}`}, String(d.number));
        body.append(cells(h('tr'), [h('td', {class: 'text'}, badge), h('td', {class: 'nowrap'}, seconds(d.at)), h('td', {class: 'text'}, Chart.taskOf(d)),
          h('td', {class: 'text nowrap'}, Chart.action(d)), h('td', {class: 'text'}, Chart.sentence(d)), h('td', {class: 'nowrap'}, Chart.remaining(d)),
          h('td', {class: 'nowrap'}, typeof d.tNew === 'number' ? seconds(d.tNew) : '–'), h('td', {class: 'text'}, cameOf(d, run))]));
      }
      all.append(h('div', {class: 'scroll'}, table));
    }
    if (left.length) all.append(leaves(left));
    return all;
  }

  function leaves(left) {
    const table = h('table');
    const body = head(table, [['time'], ['task', true], ['why it was left alone', true], ['t_rem'], ['E[t_new]']]);
    body.parentNode.querySelector('th').style.textAlign = 'right';
    for (const d of left.sort((x, y) => x.at - y.at)) {
      const first = h('td', {class: 'nowrap'}, seconds(d.at));
      body.append(cells(h('tr'), [first, h('td', {class: 'text'}, Chart.taskOf(d)), h('td', {class: 'text'}, Chart.sentence(d)),
        Chart.remaining(d), typeof d.tNew === 'number' ? seconds(d.tNew) : '–']));
    }
    return h('details', {}, h('summary', {}, `${plural(left.length, 'decision', 'decisions')} to leave a task alone`), h('div', {class: 'scroll'}, table));
  }

  // What became of map outputs: which host did not serve them, or hardly, and what was done.
  const OUTPUT = {
    silentNodes: () => 'does not answer', outputMadeAgain: d => d.rule === 'MACHINE_CRAWLS' ? 'sends slowly: made again' : 'made again',
    replicaMade: d => `replicated to ${d.to}`, replicaFailed: () => 'not replicated', replicaUsed: d => `read on ${d.to}`};

  const hosts = d => String(d.hosts).replace(/[[\]]/g, '');

  function outputs(run) {
    const told = run.decisions.filter(d => OUTPUT[d.type] && (d.type !== 'silentNodes' || hosts(d))).sort((x, y) => x.at - y.at);
    if (!told.length) return undefined;
    const table = h('table', {}, h('caption', {}, 'What became of map outputs'));
    const body = head(table, [['time'], ['map', true], ['host', true], ['what', true], ['why', true]]);
    for (const d of told) {
      const what = (d.mode === 'observe' ? 'only observed: ' : '') + OUTPUT[d.type](d);
      body.append(cells(h('tr'), [h('td', {class: 'nowrap'}, seconds(d.at)), h('td', {class: 'text'}, d.task ? Chart.taskOf(d) : ''),
        h('td', {class: 'text nowrap'}, d.type === 'silentNodes' ? hosts(d) : d.node || d.from || ''),
        h('td', {class: 'text nowrap'}, what), h('td', {class: 'text'}, Chart.sentence(d))]));
    }
    return h('div', {class: 'decisions'}, h('div', {class: 'scroll'}, table));
  }

  // ---- time lines

  function facts(run, s) {
    const all = [];
    if (run.mode !== 'clean' && run.mode !== 'off') {
      all.push(run.copies ? `${plural(run.copies, 'copy', 'copies')}, ${run.copiesWon} won` : 'no copy');
    }
    if (run.restarts) all.push(plural(run.restarts, 'restart', 'restarts'));
    all.push(`${seconds(run.wastedSeconds)} of ${seconds(run.taskSeconds)} task time wasted`);
    if (many(s)) all.push(unit(s) + ' ' + run.repeat);
    return all.join(' · ');
  }

  function figure(run, s, box, times) {
    const caption = h('figcaption', {}, h('h3', {}, MODE[run.mode]), h('span', {class: 'facts'}, facts(run, s)));
    const fig = h('figure', {}, caption);
    if (!run.good) fig.append(h('p', {class: 'trouble'}, `The job ended as ${run.state}. ${run.diagnostics}`));
    else if (!run.outputEqual) fig.append(h('p', {class: 'trouble'}, 'Its output differs from that of the other runs.'));
    if (!run.attempts.length) {
      fig.append(h('p', {class: 'empty'}, 'The history of this job could not be read: there is nothing to draw.'));
      return fig;
    }
    const maps = run.attempts.filter(a => a.kind === 'map').length;
    const drawn = Chart.draw(run, box, times, {
      title: `${MODE[run.mode]}: ${s.noun}, job time ${seconds(run.jobSeconds)}`,
      desc: `${maps} attempts of maps and ${run.attempts.length - maps} of reduces on ${box.rows.length} nodes. ${facts(run, s)}. The arrow keys go from one to the next.`});
    explore(drawn.svg, drawn.items);
    fig.append(drawn.svg);
    if (['drover', 'restart', 'remake'].includes(run.mode)) {
      fig.append(decisions(run, drawn.decisions));
      const became = outputs(run);
      if (became) fig.append(became);
    }
    return fig;
  }

  function timeLines(s) {
    const box = h('div');
    let choice = 'typical';
    const show = () => {
      const runs = shown(s, choice);
      const width = Math.max(600, Math.round(box.clientWidth || 1080));
      const layout = Chart.layout(data.nodes, runs, width);
      const times = Object.fromEntries(runs.filter(r => r.good).map(r => [r.mode, r.jobSeconds]));
      const parts = runs.map(run => {
        const fig = figure(run, s, layout, times);
        return run.mode === 'clean' ? h('details', {}, h('summary', {}, `Without the fault: ${seconds(run.jobSeconds)}`), fig) : fig;
      });
      box.replaceChildren(...parts);
    };
    redraws.push(show);
    const tools = h('div', {class: 'tools'});
    if (many(s)) {
      const select = h('select', {}, h('option', {value: 'typical'}, `the median ${unit(s)} of each mode`));
      for (let i = 1; i <= s.repeats; i++) select.append(h('option', {value: i}, unit(s) + ' ' + i));
      select.addEventListener('change', () => { choice = select.value; show(); });
      tools.append(h('label', {}, 'Show ', select));
    }
    return [tools, box];
  }

  // ---- legend

  function legend() {
    const runs = data.scenarios.flatMap(s => s.runs);
    const attempts = runs.flatMap(r => r.attempts);
    const has = test => attempts.some(test);
    const made = runs.filter(r => r.mode === 'drover').flatMap(r => r.decisions.filter(Chart.acts));
    const list = h('ul', {class: 'legend', 'aria-label': 'Legend'});
    const add = (...args) => list.append(item(...args));
    const bar = (a, w) => Chart.bar({task: '', ...a}, 0.5, 1, w - 1, 14).g;
    add(34, 'map', bar({kind: 'map', outcome: 'WON'}, 34));
    const reduce = bar({kind: 'reduce', outcome: 'WON'}, 60);
    reduce.append(el('path', {class: 'fetch', d: 'M26 1H7.5a7 7 0 0 0 0 14H26Z'}), el('rect', {class: 'merge', x: 26, y: 1, width: 10, height: 14}));
    add(60, 'reduce: fetch, merge, reduce', reduce);
    add(34, 'killed', bar({kind: 'map', outcome: 'KILLED'}, 34));
    if (has(a => a.outcome === 'FAILED')) add(34, 'failed', bar({kind: 'map', outcome: 'FAILED'}, 34));
    if (has(a => a.outcome === 'OUTPUT_LOST')) add(34, 'output lost later', bar({kind: 'map', outcome: 'OUTPUT_LOST'}, 34));
    if (has(a => a.outcome === 'UNKNOWN')) add(34, 'end not recorded', bar({kind: 'map', outcome: 'UNKNOWN'}, 34));
    if (has(a => a.role === 'COPY')) {
      const copy = bar({kind: 'map', outcome: 'WON'}, 34);
      copy.append(el('rect', {class: 'copy', x: 0.8, y: 1, width: 32.4, height: 14, rx: 1.5}));
      add(34, 'a copy', copy);
    }
    if (has(a => a.role === 'CLONE')) {
      const clone = bar({kind: 'map', outcome: 'WON'}, 34);
      clone.append(el('rect', {class: 'clone', x: 0.8, y: 1, width: 32.4, height: 14, rx: 1.5}));
      add(34, 'a clone', clone);
    }
    if (made.some(d => d.action === 'DUPLICATE')) add(16, 'Drover starts a copy', el('g', {class: 'decision'}, ...Chart.mark({number: 1, action: 'DUPLICATE'}, 8, 8)));
    if (made.some(d => d.action === 'KILL_AND_RESTART')) add(16, 'Drover kills and restarts', el('g', {class: 'decision'}, ...Chart.mark({number: 1, action: 'KILL_AND_RESTART'}, 8, 8)));
    if (made.some(d => d.action === 'PRUNE')) add(16, 'Drover ends the slower one', el('g', {class: 'decision'}, ...Chart.mark({number: 1, action: 'PRUNE'}, 8, 8)));
    if (runs.some(r => r.faultNode)) add(24, 'the faulty node', el('rect', {class: 'faultrow', x: 0, y: 0, width: 24, height: 16}));
    if (runs.some(r => r.faultTask)) add(34, 'the faulty attempt', el('g', {class: 'attempt'}, el('rect', {class: 'faultmark', x: 1, y: 1, width: 32, height: 14, rx: 1.5})));
    return list;
  }

  // ---- the page

  page.append(patterns());
  if (data.scenarios.some(s => !s.load) && data.scenarios.length > 1) page.append(overview());
  data.scenarios.forEach((s, i) => {
    const bad = s.runs.some(r => !r.good || !r.outputEqual);
    const section = h('section', {id: s.name});
    if (data.scenarios.length > 1) section.append(h('h2', {}, s.noun), h('p', {class: 'lede'}, s.title.charAt(0).toUpperCase() + s.title.slice(1) + '.'));
    const spent = machines(s);
    section.append(spent || race(s));
    const between = links(s);
    if (between) section.append(between);
    section.append(h('p', {class: 'verdict' + (bad ? ' trouble' : '')}, s.verdict), figures(s));
    const one = data.scenarios.length === 1;
    for (const picture of [use(s, one), blocks(s, one), stream(s, one)]) if (picture) section.append(picture);
    if (spent) {
      page.append(section);
      return;
    }
    const lines = h('section', one ? {} : {class: 'inner'}, h(one ? 'h2' : 'h3', {}, 'Every attempt of every task'));
    if (i === 0) {
      lines.append(h('p', {class: 'lede'}, 'A band for each node, a bar for each attempt, the same time scale for all. Point at a bar, or move with the arrow keys, to see its details.'));
    }
    if (i === 0) lines.append(legend());
    lines.append(...timeLines(s));
    section.append(lines);
    page.append(section);
  });
  document.getElementById('foot').append(
      h('p', {}, 'Job time: from submission to finish, as recorded in the job history. Recovered: (off − x) / (off − clean), within each run. Wasted: the time of attempts whose output was not used. t_rem: the expected remaining time of the attempt; E[t_new]: the expected time of a new attempt.'),
      h('p', {}, `drover ${data.version} · ${data.at}`));
  Parts.drawAll();
})();

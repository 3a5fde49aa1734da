// SPDX-License-Identifier: Apache-2.0
'use strict';
(() => {
  const FIGURES = '../drover?machines=50';
  const PERIOD = 3000;
  const PATIENCE = 10000;
  const LONGEST_WAIT = 30000;
  const FEW = 12;
  const SVG = 'http://www.w3.org/2000/svg';
  const $ = id => document.getElementById(id);

  // ---- making elements: whatever is not an element is text, wherever it came from

  function fill(e, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    for (const child of children.flat()) if (child !== undefined && child !== null) e.append(child);
    return e;
  }
  const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
  const code = text => h('code', {}, text);

  const drawn = new Map();
  /** Draws a part anew if what it shows has changed: who has selected or focused something there keeps it. */
  function part(id, input, draw) {
    const key = JSON.stringify(input);
    if (drawn.get(id) === key) return;
    $(id).replaceChildren(...[draw()].flat().filter(node => node));
    drawn.set(id, key);
  }

  // ---- numbers in words

  const count = n => n.toLocaleString('en-US');
  const plural = (n, one, more) => `${count(n)} ${n === 1 ? one : more}`;
  const some = names => names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  const percent = share => `${(100 * share).toFixed(1)}\u00a0%`;
  const round = share => `${+(100 * share).toFixed(2)}\u00a0%`;
  const chance = p => p === undefined ? h('span', {class: 'unknown'}, 'not known') : p >= .1 ? `${(100 * p).toFixed(0)}\u00a0%` : `${(100 * p).toPrecision(2)}\u00a0%`;
  const pad = n => String(n).padStart(2, '0');
  const clock = t => `${pad(t.getHours())}:${pad(t.getMinutes())}:${pad(t.getSeconds())}`;

  function duration(seconds) {
    if (seconds < 1) return `${Math.round(seconds * 1000)}\u00a0ms`;
    if (seconds < 120) return `${+seconds.toFixed(1)}\u00a0s`;
    if (seconds < 7200) return `${+(seconds / 60).toFixed(1)}\u00a0min`;
    return `${+(seconds / 3600).toFixed(1)}\u00a0h`;
  }
  function memory(megabytes) {
    return megabytes < 1024 ? `${count(megabytes)}\u00a0MB` : `${count(+(megabytes / 1024).toFixed(megabytes < 102400 ? 1 : 0))}\u00a0GB`;
  }
  function speed(bytesPerSecond) {
    if (bytesPerSecond === undefined) return h('span', {class: 'unknown'}, 'not known');
    const mega = bytesPerSecond / 1e6;
    return `${count(mega < 10 ? +mega.toPrecision(2) : Math.round(mega))}\u00a0MB/s`;
  }
  function moment(millis, now) {
    const t = new Date(millis);
    const today = t.toDateString() === new Date(now).toDateString();
    const day = today ? '' : `${t.getFullYear()}-${pad(t.getMonth() + 1)}-${pad(t.getDate())} `;
    return h('time', {datetime: t.toISOString()}, day + clock(t));
  }

  // ---- what state it is in, and what to do about it

  const stateOf = d => d.badSettings && d.settings.mode === 'off' ? 'bad settings' : d.clones.off ? 'off for now' : d.settings.mode;

  /** What is wrong with the settings, and what has failed. */
  function wrong(d) {
    const failed = d.errors.filter(part => part.failures > 0);
    return [
      d.badSettings ? h('p', {class: 'alarm', id: 'bad-settings'}, 'The settings that were read last cannot be used: ', code(d.badSettings)) : undefined,
      ...failed.map(part => h('p', part.off ? {class: 'alarm'} : {},
        `${part.part}: ${plural(part.failures, 'step has', 'steps have')} failed (`,
        Object.entries(part.kinds).map(([kind, times]) => `${kind} ${count(times)}`).join(', '),
        part.off ? '). It is off, and tried again within a minute. The log says why.' : '). It works; each was left out. The log says why.'))];
  }

  function state(d) {
    const {running, wanted} = d.clones;
    const tau = round(d.settings.maxUtilisation);
    const refresh = [' in ', code('capacity-scheduler.xml'), ', then ', code('yarn rmadmin -refreshQueues'), '.'];
    switch (stateOf(d)) {
      case 'bad settings':
        return [
          h('h1', {class: 'alarm'}, 'Drover is off: its settings are bad.'),
          h('p', {class: 'lede'}, 'All is scheduled as Hadoop does it. Mend them', ...refresh),
          ...wrong(d)];
      case 'off for now':
        return [
          h('h1', {class: 'alarm'}, 'Clones are off for now.'),
          h('p', {class: 'lede'}, 'Several errors in a row in Drover have switched them off. They are tried again within a minute. All other scheduling goes on.'),
          h('p', {class: 'lede'}, 'What to do if that happens again: the ResourceManager’s log has one warning that says why.'),
          ...wrong(d)];
      case 'off':
        return [
          h('h1', {}, 'Clones are switched off.'),
          h('p', {class: 'lede'}, 'What AppMasters ask for as clones is a request like any other.'),
          h('p', {class: 'lede'}, 'To switch them on: ', code('yarn.drover.clone.mode=on'), refresh),
          ...wrong(d)];
      case 'observe':
        return [
          h('h1', {}, 'Drover watches clones, and touches none.'),
          h('p', {class: 'lede'}, `Their requests pass as Hadoop lets them. What a ceiling of ${tau} would kill is counted.`),
          h('p', {class: 'lede'}, 'To let it act: ', code('yarn.drover.clone.mode=on'), refresh),
          ...wrong(d)];
      default:
        return [
          h('h1', {}, (running ? `${plural(running, 'clone runs', 'clones run')}` : 'No clone runs') + (wanted ? `, ${count(wanted)} ${running ? 'more ' : ''}${wanted === 1 ? 'is' : 'are'} wanted.` : '.')),
          h('p', {class: 'lede'}, `Clones are admitted while less than ${tau} of a partition is in use with them, and give way to everybody else.`),
          d.clones.started || wanted ? undefined : h('p', {class: 'lede'}, 'None has been started yet. Small jobs that run in ', code('DroverAppMaster'), ' ask for clones, where they have ', code('mapreduce.drover.clone.mode=on'), '.'),
          ...wrong(d)];
    }
  }

  // ---- clones in figures

  function figure(name, number, note, own) {
    return h('div', own ? {class: 'own'} : {}, h('dt', {}, name), h('dd', {class: 'count'}, count(number)), h('dd', {class: 'note'}, note));
  }

  function figures(d) {
    const c = d.clones;
    const part = n => n ? `${Math.round(100 * n / c.started)}\u00a0% of those started` : 'none so far';
    const list = [
      figure('running', c.running, c.running ? `${memory(c.memoryMB)} and ${plural(c.vCores, 'core', 'cores')}` : 'they hold nothing', true),
      figure('wanted', c.wanted, c.wanted ? 'asked for and not given' : 'nobody asks for one'),
      figure('started', c.started, 'since start or failover')];
    if (stateOf(d) === 'observe') {
      list.push(figure('would be killed', c.wouldBeKilled, 'of those that run'));
    } else {
      list.push(figure('gave way', c.gaveWay, part(c.gaveWay)), figure('above the ceiling', c.aboveCeiling, part(c.aboveCeiling)));
    }
    return h('dl', {class: 'figures'}, list);
  }

  // ---- room under the ceiling

  function verdict(d, p) {
    const {maxUtilisation: tau, hysteresis} = d.settings;
    const mode = stateOf(d);
    if (['off for now', 'bad settings', 'off'].includes(mode)) return undefined;
    const would = mode === 'observe';
    if (p.admitting) return would ? 'would admit clones' : 'admits clones';
    const none = would ? 'would admit none' : 'admits none';
    if (p.waiting) return `${none}: ${plural(p.waiting, 'request of others waits', 'requests of others wait')}`;
    if (p.utilisation >= tau) return `${none}: at the ceiling`;
    return `${none} until ${round(Math.max(0, tau - hysteresis))} or less is in use`;
  }

  function bar(d, p) {
    const {maxUtilisation: tau, hysteresis} = d.settings;
    const at = share => `${100 * Math.min(1, Math.max(0, share))}%`;
    const ordinary = p.utilisation - p.cloned;
    return svg('svg', {'aria-hidden': 'true'},
      svg('rect', {class: 'trough', x: 0, y: 8, width: '100%', height: 24}),
      svg('rect', {class: 'ordinary', x: 0, y: 8, width: at(ordinary), height: 24}),
      svg('rect', {class: 'cloned', x: at(ordinary), y: 8, width: at(Math.min(p.cloned, 1 - ordinary)), height: 24}),
      hysteresis > 0 && hysteresis < tau ? svg('line', {class: 'again', x1: at(tau - hysteresis), x2: at(tau - hysteresis), y1: 4, y2: 36}) : undefined,
      svg('line', {class: 'tau', x1: at(tau), x2: at(tau), y1: 0, y2: 40}));
  }

  function room(d) {
    if (!d.partitions.length) return h('p', {}, 'There is no node yet. Once NodeManagers have registered, this shows how full each partition is.');
    const rows = d.partitions.map(p => h('li', {},
      h('span', {class: 'name'}, p.partition === '' ? 'Default partition' : p.partition),
      bar(d, p),
      h('span', {class: 'words'},
        h('span', {}, h('b', {}, percent(p.utilisation)), ' in use', p.cloned > 0 ? [', ', h('b', {class: 'own'}, percent(p.cloned)), ' by ', plural(p.running, 'clone', 'clones')] : undefined),
        h('span', {}, verdict(d, p) || ''))));
    const {maxUtilisation: tau, hysteresis} = d.settings;
    const swatch = (...shape) => svg('svg', {width: 12, height: 16, 'aria-hidden': 'true'}, shape);
    const box = name => swatch(svg('rect', {class: name, width: 12, height: 12, y: 2}));
    const line = name => swatch(svg('line', {class: name, x1: 6, x2: 6, y1: 0, y2: 16}));
    return [
      h('ul', {class: 'room'}, rows),
      h('ul', {class: 'key'},
        h('li', {}, box('ordinary'), 'in use or reserved'),
        h('li', {}, box('cloned'), 'clones'),
        h('li', {}, line('tau'), `the ceiling (tau), ${round(tau)}`),
        hysteresis > 0 && hysteresis < tau ? h('li', {}, line('again'), `${round(tau - hysteresis)}: after a kill clones are admitted again from here`) : undefined)];
  }

  // ---- clones killed lately

  const head = (...names) => h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, names.map(([name, kind]) => h('th', {scope: 'col', role: 'columnheader', class: kind || '', ...(kind === 'wide' && {'aria-hidden': 'true'})}, name))));
  const cell = (kind, ...content) => h('td', {role: 'cell', class: kind}, content);
  const table = (kind, label, header, rows) => h('table', {class: kind, role: 'table', 'aria-label': label}, header, h('tbody', {role: 'rowgroup'}, rows));
  let allKilled = false;

  function application(id) {
    return /^application_\d+_\d+$/.test(id) ? h('a', {href: '../../../../cluster/app/' + id}, id) : id;
  }

  function killed(d) {
    const events = d.killedLately;
    if (!events.length) {
      const none = d.clones.gaveWay + d.clones.aboveCeiling === 0;
      return h('p', {}, none ? 'None was killed since this ResourceManager is active.' : 'None of an application that you may see.');
    }
    const shown = allKilled ? events : events.slice(0, FEW);
    const rows = shown.map(e => h('tr', {role: 'row'},
      cell('text whole', moment(e.at, d.at)),
      cell('text', e.why.replace(/^Drover: (a clone )?/, '')),
      cell('text whole', application(e.application)),
      cell('text', e.node)));
    const more = () => {
      allKilled = true;
      drawKilled(d);
    };
    return [
      table('killed', 'Clones killed lately', head(['Time', 'text'], ['Why', 'text'], ['Application', 'text'], ['Node', 'text']), rows),
      shown.length < events.length ? h('p', {class: 'rest'}, button(`All ${events.length}`, more)) : undefined];
  }

  function button(text, action) {
    const made = h('button', {type: 'button'}, text);
    made.addEventListener('click', action);
    return made;
  }

  const day = millis => new Date(millis).toDateString();
  const drawKilled = d => part('killed', [d.killedLately, allKilled, d.clones.gaveWay + d.clones.aboveCeiling === 0, day(d.at)], () => killed(d));

  // ---- machines and links

  /** Why nothing is learnt, if that is so. */
  function deaf(d) {
    if (d.statistics.off) return h('p', {class: 'alarm'}, 'Errors have switched the learning off. It is tried again within a minute. The log has one warning that says why.');
    if (d.settings.statisticsMode === 'off') return h('p', {}, 'Nothing is learnt. To switch it on: ', code('yarn.drover.statistics.mode=on'), ' in ', code('capacity-scheduler.xml'), ', then ', code('yarn rmadmin -refreshQueues'), '.');
    if (!d.channel.on) return h('p', {}, 'AppMasters have nowhere to report to. Set ', code('yarn.drover.channel.address'), ', to ', code('${yarn.resourcemanager.hostname}:8036'), ' say, in ', code('yarn-site.xml'), ' of every machine, and restart the ResourceManagers. If it is set, the log says why the port could not be opened.');
    return undefined;
  }

  function machines(d) {
    const s = d.statistics;
    const reason = deaf(d);
    if (!s.machines.length) {
      if (reason) return reason;
      if (!s.reporting) return h('p', {}, 'Nothing is known of any machine, for no job has reported. Jobs that run in ', code('DroverAppMaster'), ' do.');
      return h('p', {}, `${plural(s.reporting, 'job reports', 'jobs report')}. As soon as attempts are judged and their containers have ended, machines are shown here.`);
    }
    const p = s.outlierProbability;
    const intro = h('p', {},
      p === undefined ? 'Too few attempts were judged to say how likely an outlier is. ' : ['An attempt is an outlier with ', h('b', {}, `p = ${chance(p)}`), ' on any machine. '],
      s.machinesSlow ? [h('b', {}, `${plural(s.machinesSlow, 'machine', 'machines')} of ${count(s.machinesKnown)} ${s.machinesSlow === 1 ? 'is' : 'are'} slow`), ': copies of tasks keep away. '] : p === undefined ? '' : `None of ${count(s.machinesKnown)} is slow. `,
      s.machines.some(m => m.slowFor) ? 'From those that are slow for a user only copies of that user\'s tasks keep away, since no other user\'s jobs have found the same. ' : '',
      'p', h('sub', {}, 'm'), ` is how likely an attempt there is an outlier, loss how likely an output there is lost. Outliers are counted in the last whole window of ${duration(s.windowSeconds)}. `,
      reason ? '' : s.reporting ? `${plural(s.reporting, 'job reports', 'jobs report')}.` : 'No job reports now.');
    const most = Math.max(...s.machines.map(m => m.outlierProbability || 0), 2 * (p || 0), 1e-9);
    const rows = s.machines.map(m => h('tr', m.slow ? {role: 'row', class: 'slow'} : {role: 'row'},
      h('th', {scope: 'row', role: 'rowheader'}, m.machine, m.slow ? [' ', h('span', {class: 'badge'}, 'slow')] : m.slowFor ? [' ', h('span', {class: 'badge names', title: m.slowFor.join(', ')}, `slow for ${some(m.slowFor)}`)] : undefined),
      h('td', {class: 'wide', 'aria-hidden': 'true'}, meter(m.outlierProbability, most, p)),
      cell('chance', chance(m.outlierProbability)),
      cell('ratio', p && m.outlierProbability !== undefined ? `${(m.outlierProbability / p).toFixed(1)} ×` : ''),
      cell(m.attempts ? '' : 'unknown', `${count(m.outliers)} of ${count(m.attempts)}`),
      cell('', chance(m.lossProbability))));
    const header = head(['Machine'], ['', 'wide'], [['p', h('sub', {}, 'm')]], ['of p', 'ratio'], ['Outliers'], ['Loss']);
    const rest = s.machinesKnown - s.machines.length;
    return [
      reason, intro,
      table('machines', 'Machines, the worst first', header, rows),
      rest > 0 ? h('p', {class: 'rest'}, `and ${count(rest)} more, none of them worse.`) : undefined];
  }

  function meter(value, most, mean) {
    const at = v => `${100 * v / most}%`;
    return svg('svg', {class: 'meter'},
      svg('rect', {class: 'bar', y: 2, height: 10, width: at(value || 0)}),
      mean ? svg('line', {class: 'mean', x1: at(mean), x2: at(mean), y1: 0, y2: 14}) : undefined);
  }

  function links(d) {
    const known = [...d.statistics.links, ...d.statistics.ownLinks];
    if (!known.length) {
      return h('p', {}, deaf(d) ? 'Nothing is known of them either.' : 'Nothing is known of them yet: at least 3 jobs that moved data between racks must have said how fast that went, of the same user if only that user\'s jobs are to know it, else of 3 users or of one who is trusted.');
    }
    const most = Math.max(...known.flatMap(l => [l.upBytesPerSecond || 0, l.downBytesPerSecond || 0]));
    const strip = v => h('td', {class: 'wide', 'aria-hidden': 'true'}, svg('svg', {class: 'meter'}, svg('rect', {class: 'bar link', y: 2, height: 10, width: `${100 * (v || 0) / most}%`})));
    return [
      h('p', {}, 'What a job can expect to have of them, by what the last jobs measured.', d.statistics.ownLinks.length ? ' What only one user has measured only that user\'s jobs are told.' : ''),
      table('machines', 'Links of racks', head(['Rack'], ['', 'wide'], ['Up, out of it'], ['', 'wide'], ['Down, into it']), known.map(l => h('tr', {role: 'row'},
        h('th', {scope: 'row', role: 'rowheader'}, l.rack, l.user === undefined ? '' : ` for ${l.user}`),
        strip(l.upBytesPerSecond), cell('', speed(l.upBytesPerSecond)),
        strip(l.downBytesPerSecond), cell('', speed(l.downBytesPerSecond)))))];
  }

  // ---- in force

  function force(d) {
    const s = d.settings;
    const rows = [
      ['Clones', s.mode],
      ['Ceiling of utilisation (tau)', round(s.maxUtilisation)],
      ['Hysteresis', `${+(100 * s.hysteresis).toFixed(2)} points`],
      ['A look at them every', duration(s.roundSeconds)],
      ['Patience with demand that is stuck', duration(s.patienceSeconds)],
      ['Statistics of machines', s.statisticsMode],
      ['Window of the statistics', duration(d.statistics.windowSeconds)],
      ['What is learnt outlives a restart', d.statistics.kept ? 'yes' : 'no'],
      ['Channel to AppMasters', d.channel.on ? `open, port ${d.channel.port}` : 'closed'],
      ['Jobs that report', count(d.statistics.reporting)],
      ['Upstream tasks of K (M/K)', String(s.upstreamRatio)]];
    return h('dl', {class: 'force'}, rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  function draw(d) {
    part('state', [stateOf(d), d.clones.running, d.clones.wanted, d.clones.started > 0, d.settings.maxUtilisation, d.badSettings, d.errors], () => state(d));
    part('figures', [d.clones, stateOf(d)], () => figures(d));
    part('room-body', [d.partitions, d.settings, d.clones.off], () => room(d));
    drawKilled(d);
    part('machines', [d.statistics, d.settings.statisticsMode, d.channel], () => machines(d));
    part('links', [d.statistics.links, d.statistics.ownLinks, Boolean(deaf(d))], () => links(d));
    part('force', [d.settings, d.channel, d.statistics], () => force(d));
    document.title = `Drover: ${stateOf(d) === 'on' ? plural(d.clones.running, 'clone', 'clones') : stateOf(d)} – ${location.host}`;
    $('page').hidden = false;
  }

  // ---- asking

  class Trouble extends Error {
    constructor(what, todo) {
      super(what);
      this.todo = todo;
    }
  }

  async function ask() {
    let response;
    try {
      response = await fetch(FIGURES, {
        credentials: 'same-origin', redirect: 'manual', cache: 'no-store',
        headers: {Accept: 'application/json'}, signal: AbortSignal.timeout(PATIENCE)});
    } catch (e) {
      throw new Trouble('The ResourceManager does not answer.', `${e.name === 'TimeoutError' ? `It has not in ${PATIENCE / 1000} s. ` : ''}If it fails over, the page of the one that takes over is at its own address.`);
    }
    const {status} = response;
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      throw new Trouble('The ResourceManager sends this page elsewhere.', 'It is standby now, or wants you to log in again: load the page anew.');
    }
    if (status === 401) throw new Trouble('The ResourceManager wants to know who you are (401).', 'Your login has ended: load the page anew.');
    if (status === 403) throw new Trouble('You may not see this (403).', 'The ResourceManager refuses your user its web services.');
    if (status === 404) throw new Trouble('Drover’s scheduler is not there any more (404).', 'The ResourceManager runs another one, or its web services are not Drover’s.');
    if (!response.ok) throw new Trouble(`The ResourceManager answered with an error (${status}).`, 'Its log says more.');
    try {
      return await response.json();
    } catch (e) {
      throw new Trouble('The ResourceManager’s answer is no figures.', 'It may be standby with no active one to be found, or be starting.');
    }
  }

  let timer;
  let asking = false;
  let paused = false;
  let failures = 0;
  let seen;

  function age() {
    if (!failures) return;
    const ago = (performance.now() - seen) / 1000;
    $('age').textContent = seen === undefined ? 'There is no earlier picture to show.' : `Below is the picture of ${duration(Math.round(ago))} ago.`;
  }

  function tell(trouble) {
    failures = trouble ? failures + 1 : 0;
    document.body.classList.toggle('stale', failures > 0);
    $('age').hidden = !failures;
    const said = trouble ? `${trouble.message} ${trouble.todo}` : '';
    if ($('trouble').textContent !== said) {
      $('trouble').replaceChildren(...trouble ? [h('b', {}, trouble.message + ' '), h('p', {}, trouble.todo)] : []);
    }
    age();
  }

  function pulse() {
    $('pause').hidden = false;
    $('pulse').textContent = paused ? 'paused' : failures ? `asked again in ${Math.round(wait() / 1000)}\u00a0s` : `as of ${clock(new Date())}`;
  }

  const wait = () => Math.min(LONGEST_WAIT, PERIOD * 2 ** Math.max(0, failures - 1));

  async function look() {
    clearTimeout(timer);
    if (asking) return;
    asking = true;
    try {
      const picture = await ask();
      try {
        draw(picture);
      } catch (e) {
        console.error(e);
        throw new Trouble('This page does not understand the answer.', 'Drover may have been replaced: load the page anew.');
      }
      seen = performance.now();
      tell();
    } catch (e) {
      tell(e);
    }
    asking = false;
    pulse();
    if (!paused && !document.hidden) timer = setTimeout(look, wait());
  }

  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    if (!paused && !document.hidden) look();
  });
  $('pause').addEventListener('click', () => {
    paused = !paused;
    $('pause').textContent = paused ? 'Go on' : 'Pause';
    clearTimeout(timer);
    pulse();
    if (!paused) look();
  });
  setInterval(age, 1000);
  look();
})();

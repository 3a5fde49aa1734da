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

  // ---- making elements: everything that is not an element is inserted as text

  function fill(e, attributes, children) {
    for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
    for (const child of children.flat()) if (child !== undefined && child !== null) e.append(child);
    return e;
  }
  const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
  const code = text => h('code', {}, text);

  const drawn = new Map();
  /** Redraws a part only if its content has changed, so that a selection or the focus in it is kept. */
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

  // ---- the state, and what to do about it

  const stateOf = d => d.badSettings && d.settings.mode === 'off' ? 'bad settings' : d.clones.off ? 'off for now' : d.settings.mode;

  /** What is wrong with the settings, and what has failed. */
  function wrong(d) {
    const failed = d.errors.filter(part => part.failures > 0);
    return [
      d.badSettings ? h('p', {class: 'alarm', id: 'bad-settings'}, 'The settings that were read last cannot be used: ', code(d.badSettings)) : undefined,
      ...failed.map(part => h('p', part.off ? {class: 'alarm'} : {},
        `${part.part}: ${plural(part.failures, 'step has', 'steps have')} failed (`,
        Object.entries(part.kinds).map(([kind, times]) => `${kind} ${count(times)}`).join(', '),
        part.off ? '). This part is off; Drover tries it again within a minute. The log says why.' : '). This part still works; Drover skipped the steps that failed. The log says why.'))];
  }

  function state(d) {
    const {running, wanted} = d.clones;
    const tau = round(d.settings.maxUtilisation);
    const refresh = [' in ', code('capacity-scheduler.xml'), ', then ', code('yarn rmadmin -refreshQueues'), '.'];
    switch (stateOf(d)) {
      case 'bad settings':
        return [
          h('h1', {class: 'alarm'}, 'Drover is off: its settings are invalid.'),
          h('p', {class: 'lede'}, 'Everything is scheduled as in plain Hadoop. Correct the settings', ...refresh),
          ...wrong(d)];
      case 'off for now':
        return [
          h('h1', {class: 'alarm'}, 'Clones are off for now.'),
          h('p', {class: 'lede'}, 'Several errors in a row in Drover have switched clones off. Drover tries them again within a minute. All other scheduling continues.'),
          h('p', {class: 'lede'}, 'If that happens again: the ResourceManager’s log has one warning that says why.'),
          ...wrong(d)];
      case 'off':
        return [
          h('h1', {}, 'Clones are switched off.'),
          h('p', {class: 'lede'}, 'The scheduler treats requests for clones like any other requests.'),
          h('p', {class: 'lede'}, 'To switch them on: ', code('yarn.drover.clone.mode=on'), refresh),
          ...wrong(d)];
      case 'observe':
        return [
          h('h1', {}, 'Drover watches clones and kills none.'),
          h('p', {class: 'lede'}, `Hadoop handles requests for clones like any others. Drover counts the clones that a ceiling of ${tau} would kill.`),
          h('p', {class: 'lede'}, 'To let Drover act: ', code('yarn.drover.clone.mode=on'), refresh),
          ...wrong(d)];
      default:
        return [
          h('h1', {}, (running ? `${plural(running, 'clone runs', 'clones run')}` : 'No clone runs') + (wanted ? `, ${count(wanted)} ${running ? 'more ' : ''}${wanted === 1 ? 'is' : 'are'} wanted.` : '.')),
          h('p', {class: 'lede'}, `Clones are admitted while less than ${tau} of a partition is in use, including clones. They give way to all other requests.`),
          d.clones.started || wanted ? undefined : h('p', {class: 'lede'}, 'No clone has been started yet. Small jobs that run in ', code('DroverAppMaster'), ' request clones if they have ', code('mapreduce.drover.clone.mode=on'), '.'),
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
      figure('running', c.running, c.running ? `${memory(c.memoryMB)} and ${plural(c.vCores, 'core', 'cores')}` : 'they hold no resources', true),
      figure('wanted', c.wanted, c.wanted ? 'requested and not allocated yet' : 'no job requests one'),
      figure('started', c.started, 'since start or failover')];
    if (stateOf(d) === 'observe') {
      list.push(figure('would be killed', c.wouldBeKilled, 'of the running clones'));
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
    if (p.waiting) return `${none}: ${plural(p.waiting, 'ordinary request waits', 'ordinary requests wait')}`;
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
        hysteresis > 0 && hysteresis < tau ? h('li', {}, line('again'), `${round(tau - hysteresis)}: after a kill, clones are admitted again at or below this`) : undefined)];
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
      return h('p', {}, none ? 'No clone was killed since this ResourceManager became active.' : 'No clone was killed of an application that you may see.');
    }
    const shown = allKilled ? events : events.slice(0, FEW);
    const rows = shown.map(e => h('tr', {role: 'row'},
      cell('text whole', moment(e.at, d.at)),
      cell('text', e.why.replace(/^Drover: (the clone )?/, '')),
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

  /** Returns why Drover learns nothing; undefined if it learns. */
  function deaf(d) {
    if (d.statistics.off) return h('p', {class: 'alarm'}, 'Errors have switched learning off. Drover tries it again within a minute. The log has one warning that says why.');
    if (d.settings.statisticsMode === 'off') return h('p', {}, 'Learning is switched off. To switch it on: ', code('yarn.drover.statistics.mode=on'), ' in ', code('capacity-scheduler.xml'), ', then ', code('yarn rmadmin -refreshQueues'), '.');
    if (!d.channel.on) return h('p', {}, 'AppMasters cannot report to this ResourceManager. Set ', code('yarn.drover.channel.address'), ', for example to ', code('${yarn.resourcemanager.hostname}:8036'), ', in ', code('yarn-site.xml'), ' of every machine, and restart the ResourceManagers. If it is set, the log says why the port could not be opened.');
    return undefined;
  }

  /** Says which machines others call slow. */
  function called(s, offers) {
    const names = told => (s.calledSlow || []).filter(m => m.told === told).map(m => `${m.machine} (${m.why})`);
    const say = (list, what) => list.length ? h('p', {title: list.join(', ')}, `${list.slice(0, 5).join(', ')}${list.length > 5 ? ` and ${list.length - 5} more` : ''}: ${what}`) : undefined;
    return [say(names(true), offers === 'on' ? 'copies avoid them, and other containers go there last.' : 'copies avoid them.'), say(names(false), 'nothing avoids them, because that is only observed or they are not in the cluster.')];
  }

  function machines(d) {
    return [learntOf(d), called(d.statistics, d.settings.slowNodeOffers)].flat();
  }

  function learntOf(d) {
    const s = d.statistics;
    const reason = deaf(d);
    if (!s.machines.length) {
      if (reason) return reason;
      if (!s.reporting) return h('p', {}, 'Nothing is known about any machine, because no job has reported. Jobs report if they run in ', code('DroverAppMaster'), '.');
      return h('p', {}, `${plural(s.reporting, 'job reports', 'jobs report')}. Machines appear here when attempts have been judged and their containers have ended.`);
    }
    const p = s.outlierProbability;
    const intro = h('p', {},
      p === undefined ? 'Too few attempts have been judged to say how likely an outlier is. ' : ['An attempt is an outlier with probability ', h('b', {}, `p = ${chance(p)}`), ' on any machine. '],
      s.machinesSlow ? [h('b', {}, `${plural(s.machinesSlow, 'machine', 'machines')} of ${count(s.machinesKnown)} ${s.machinesSlow === 1 ? 'is' : 'are'} slow`), ': copies of tasks avoid slow machines. '] : p === undefined ? '' : `None of ${count(s.machinesKnown)} is slow. `,
      s.machines.some(m => m.slowFor) ? 'If a machine is slow for a user, only copies of that user\'s tasks avoid it, because no other user\'s jobs have found the same. ' : '',
      'p', h('sub', {}, 'm'), ` is the probability that an attempt on the machine is an outlier; loss is the probability that an output there is lost. Outliers are those of the last complete window of ${duration(s.windowSeconds)}. `,
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
      table('machines', 'Machines, worst first', header, rows),
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
      return h('p', {}, deaf(d) ? 'Nothing is known about the links either.' : 'Nothing is known about the links yet: at least 3 jobs that moved data between racks must report how fast that went. If they are all of one user, only that user\'s jobs are told; for everybody it takes 3 users, or one trusted user.');
    }
    const most = Math.max(...known.flatMap(l => [l.upBytesPerSecond || 0, l.downBytesPerSecond || 0]));
    const strip = v => h('td', {class: 'wide', 'aria-hidden': 'true'}, svg('svg', {class: 'meter'}, svg('rect', {class: 'bar link', y: 2, height: 10, width: `${100 * (v || 0) / most}%`})));
    return [
      h('p', {}, 'The bandwidth that a job can expect, as measured by the last jobs.', d.statistics.ownLinks.length ? ' If only one user\'s jobs have measured a link, only that user\'s jobs are told.' : ''),
      table('machines', 'Links of racks', head(['Rack'], ['', 'wide'], ['Up, out of it'], ['', 'wide'], ['Down, into it']), known.map(l => h('tr', {role: 'row'},
        h('th', {scope: 'row', role: 'rowheader'}, l.rack, l.user === undefined ? '' : ` for ${l.user}`),
        strip(l.upBytesPerSecond), cell('', speed(l.upBytesPerSecond)),
        strip(l.downBytesPerSecond), cell('', speed(l.downBytesPerSecond)))))];
  }

  // ---- machines in quarantine

  const NO_QUARANTINE = {mode: 'off', machines: []};

  function quarantine(d) {
    const q = d.quarantine || NO_QUARANTINE;
    if (q.mode === 'off') return h('p', {}, 'Machines are not quarantined. To see which would be: ', code('yarn.drover.quarantine.mode=observe'), ' in ', code('capacity-scheduler.xml'), ', then ', code('yarn rmadmin -refreshQueues'), '.');
    if (q.off) return h('p', {class: 'alarm'}, 'Errors have switched the quarantine off, and all machines get containers. Drover tries it again within a minute. The log has one warning that says why.');
    const doing = q.mode === 'on' ? 'A machine on which most attempts are outliers gets no new containers for a while; those that it has go on.' : 'These machines would get no new containers because of their outliers; nothing is kept off them unless an operator has ordered it.';
    if (!q.machines.length) return h('p', {}, 'No machine is in quarantine', q.mode === 'on' ? '' : ', and none would be', '.');
    const open = m => q.mode === 'on' || m.cause === 'operator'
      ? h('span', {class: 'badge names', title: 'It gets containers for now, because more than half of the machines of the cluster, of its partition or of its rack would be closed.'}, 'waived')
      : h('span', {class: 'badge names', title: 'It gets containers as always.'}, 'observed');
    const rows = q.machines.slice(0, 50).map(m => h('tr', {role: 'row'},
      h('th', {scope: 'row', role: 'rowheader'}, m.machine, ' ', m.closed ? h('span', {class: 'badge'}, 'closed') : open(m)),
      cell('text', m.why),
      cell('', `number ${count(m.times)}`),
      cell('', `${duration(Math.max(60, Math.round(m.leftSeconds / 60) * 60))} left`)));
    return [h('p', {}, doing, ' To end a quarantine: ', code('bin/drover quarantine lift MACHINE'), '.'), table('called', 'Machines in quarantine', head(['Machine', 'text'], ['Because', 'text'], ['Quarantine'], ['Ends']), rows)];
  }

  // ---- jobs called failing

  const NOT_PREDICTED = {mode: 'off', failing: [], turned: {}};

  /** Says how calls have turned out. */
  function turned(p) {
    const t = p.turned;
    const called = t.failedAsCalled + t.calledWrongly + t.ended;
    const others = t.goodAsCalled + t.missed;
    if (called + others === 0) return 'No job that was called has ended yet.';
    return `Of ${plural(called, 'job', 'jobs')} called failing, ${count(t.failedAsCalled)} failed, ${count(t.calledWrongly)} did not, and ${count(t.ended)} ${t.ended === 1 ? 'was' : 'were'} ended. Of ${plural(others, 'other', 'others')}, ${count(t.missed)} failed.`;
  }

  function secondAttempts(p) {
    if (!p.secondAttempts || p.secondAttempts === 'off') return undefined;
    const s = p.secondAttemptSeconds;
    const doing = p.secondAttempts === 'on' && !p.stopped ? 'Jobs called failing have fewer clones and copies' : 'Jobs called failing keep their clones and copies';
    return h('p', {}, `${doing}. Those of jobs that failed as called, or were ended, ran ${duration(s.failedAsCalled + s.ended)}; those of jobs that did not fail ${duration(s.calledWrongly)}.`);
  }

  function failing(d) {
    const p = d.prediction || NOT_PREDICTED;
    if (p.mode === 'off') return h('p', {}, 'Failures are not predicted. To see which jobs would be called failing: ', code('yarn.drover.predict.mode=observe'), ' on the ResourceManagers, and restart them.');
    const doing = p.mode === 'on' ? 'Jobs that are called failing are ended after their grace period. ' : 'Nothing is ended because it is called failing. ';
    if (!p.model) return h('p', {}, `There is no model yet: ${plural(p.known, 'job that has ended is', 'jobs that have ended are')} known, and a model needs ten that failed and ten others.`);
    const intro = h('p', {}, `A model of ${plural(p.model.applications, 'job', 'jobs')}, of which ${count(p.model.failures)} failed, calls jobs when they start. `, doing, turned(p), p.misjudged === undefined ? '' : ` ${round(p.misjudged)} of all jobs are good and ${p.mode === 'on' ? 'were or would have been' : 'would have been'} ended.`);
    const second = secondAttempts(p);
    const stopped = !p.stopped ? undefined : p.mode === 'on'
      ? h('p', {class: 'alarm'}, 'Too many good jobs would be ended, so none is, until that has been better for a day.')
      : h('p', {}, 'If jobs were ended, too many good ones would be. So none would be ended now if ', code('yarn.drover.predict.mode'), ' were ', code('on'), ', until that has been better for a day.');
    if (!p.failing.length) return [stopped, intro, second, h('p', {}, p.calledFailing ? 'None of the jobs that are called failing now is one that you may see.' : 'No running job is called failing.')];
    const rows = p.failing.slice(0, 50).map(a => h('tr', {role: 'row'},
      cell('text whole', application(a.application), a.control ? [' ', h('span', {class: 'badge names', title: 'It goes on, so that it can be seen how it turns out.'}, 'control')] : undefined),
      cell('text', a.user),
      cell('text', a.program),
      cell('', a.ranSeconds === undefined ? 'waits' : duration(a.ranSeconds)),
      cell('text', a.reasons.slice(0, 3).map(r => r.feature).join('; '))));
    return [stopped, intro, second, table('called', 'Jobs called failing', head(['Application', 'text'], ['User', 'text'], ['Program', 'text'], ['Has run'], ['Because of', 'text']), rows)];
  }

  // ---- in force

  function force(d) {
    const s = d.settings;
    const rows = [
      ['Clones', s.mode],
      ['Ceiling of utilisation (tau)', round(s.maxUtilisation)],
      ['Hysteresis', `${+(100 * s.hysteresis).toFixed(2)} points`],
      ['Clones checked every', duration(s.roundSeconds)],
      ['Patience with stuck requests', duration(s.patienceSeconds)],
      ['Machine statistics', s.statisticsMode],
      ['Window of the statistics', duration(d.statistics.windowSeconds)],
      ['Statistics survive a restart', d.statistics.kept ? 'yes' : 'no'],
      ['Channel to AppMasters', d.channel.on ? `open, port ${d.channel.port}` : 'closed'],
      ['Jobs that report', count(d.statistics.reporting)],
      ['Upstream tasks of K (M/K)', String(s.upstreamRatio)],
      ['Quarantine of machines', (d.quarantine || NO_QUARANTINE).mode],
      ['Failure prediction', (d.prediction || NOT_PREDICTED).mode]];
    return h('dl', {class: 'force'}, rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  }

  function draw(d) {
    part('state', [stateOf(d), d.clones.running, d.clones.wanted, d.clones.started > 0, d.settings.maxUtilisation, d.badSettings, d.errors], () => state(d));
    part('figures', [d.clones, stateOf(d)], () => figures(d));
    part('room-body', [d.partitions, d.settings, d.clones.off], () => room(d));
    drawKilled(d);
    part('machines', [d.statistics, d.settings.statisticsMode, d.settings.slowNodeOffers, d.channel], () => machines(d));
    part('links', [d.statistics.links, d.statistics.ownLinks, Boolean(deaf(d))], () => links(d));
    part('quarantine', d.quarantine ? {...d.quarantine, machines: d.quarantine.machines.map(m => ({...m, ranSeconds: 0, leftSeconds: Math.round(m.leftSeconds / 60) * 60}))} : null, () => quarantine(d));
    part('failing', d.prediction || null, () => failing(d));
    part('force', [d.settings, d.channel, d.statistics, (d.quarantine || NO_QUARANTINE).mode, (d.prediction || NOT_PREDICTED).mode], () => force(d));
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
      throw new Trouble('The ResourceManager does not answer.', `${e.name === 'TimeoutError' ? `No answer came within ${PATIENCE / 1000} s. ` : ''}After a failover, the page is at the address of the new active ResourceManager.`);
    }
    const {status} = response;
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      throw new Trouble('The ResourceManager redirects this page.', 'It is standby now, or wants you to log in again: reload the page.');
    }
    if (status === 401) throw new Trouble('The ResourceManager wants to know who you are (401).', 'Your login has expired: reload the page.');
    if (status === 403) throw new Trouble('You may not see this page (403).', 'The ResourceManager denies your user access to its web services.');
    if (status === 404) throw new Trouble('Drover’s scheduler is no longer there (404).', 'The ResourceManager runs another scheduler, or its web services are not Drover’s.');
    if (!response.ok) throw new Trouble(`The ResourceManager answered with an error (${status}).`, 'Its log says more.');
    try {
      return await response.json();
    } catch (e) {
      throw new Trouble('The ResourceManager’s answer has no figures.', 'It may be starting, or be standby and find no active ResourceManager.');
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
    $('age').textContent = seen === undefined ? 'There are no earlier figures to show.' : `The figures below are ${duration(Math.round(ago))} old.`;
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
    $('pulse').textContent = paused ? 'paused' : failures ? `next try in ${Math.round(wait() / 1000)}\u00a0s` : `as of ${clock(new Date())}`;
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
        throw new Trouble('This page does not understand the answer.', 'Drover may have been replaced by another version: reload the page.');
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
    $('pause').textContent = paused ? 'Resume' : 'Pause';
    clearTimeout(timer);
    pulse();
    if (!paused) look();
  });
  setInterval(age, 1000);
  look();
})();

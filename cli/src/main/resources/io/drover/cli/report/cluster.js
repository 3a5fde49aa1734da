// SPDX-License-Identifier: Apache-2.0
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const {h} = Parts;
  const {time, percent, words} = Costs;
  const number = n => n.toLocaleString('en');
  const plural = (n, one) => `${number(n)} ${one}${n === 1 ? '' : 's'}`;

  const causes = data.causes.filter(c => c.costSeconds > 0);
  const first = h('section', {}, h('h2', {}, 'What the time was lost to'));
  if (causes.length) {
    first.append(Costs.bars(causes.map(c => ({name: words(c.cause), cost: c.costSeconds, mended: c.actedOn,
      note: (c.tasks ? `${plural(c.tasks, 'slow task')} in ` : '') + plural(c.jobs, 'job') + (c.actedOn ? ` · Drover: ${c.remedy}` : '')})), data.costSeconds, 'What the time was lost to'));
    first.append(h('p', {class: 'key'}, h('span', {class: 'swatch mended'}), ' Drover acts on it. By how much jobs were longer, with the share of all that was lost.'));
  } else {
    first.append(h('p', {class: 'empty'}, 'Nothing was lost to slow tasks or waits.'));
  }
  for (const sentence of data.sentences) first.append(h('p', {}, sentence));
  page.append(first);

  function ranked(title, lede, list, columns, row) {
    const rows = list.filter(r => r.costSeconds > 0);
    if (!rows.length) return;
    page.append(h('section', {}, h('h2', {}, title), h('p', {class: 'lede'}, ...[lede].flat()),
      Costs.table(columns, rows.map(r => ({cost: r.costSeconds, cells: row(r)})))));
  }

  ranked('Machines', 'Worst first: what slow tasks cost whose machine was slow, stood still or was lost, by the machine of the slow attempt.', data.machines,
    [['machine', true], ['attempts'], ['jobs'], ['of the cost']], r => [r.machine, number(r.attempts), number(r.jobs), percent(r.costSeconds, data.costSeconds)]);
  ranked('Programs', 'Jobs of one program are told by their names, with # in place of numbers.', data.programs,
    [['program', true], ['slow tasks'], ['jobs'], ['of the cost']], r => [r.program || '(no name)', number(r.tasks), number(r.jobs), percent(r.costSeconds, data.costSeconds)]);
  ranked('Users', 'The same by user.', data.users,
    [['user', true], ['slow tasks'], ['jobs'], ['of the cost']], r => [r.user || '(no name)', number(r.tasks), number(r.jobs), percent(r.costSeconds, data.costSeconds)]);
  ranked('Jobs', ['The jobs that lost most. ', h('code', {}, 'drover report JOB'), ' says more about one.'], data.worstJobs,
    [['job', true], ['name', true], ['user', true], ['took'], ['mostly', true]], r => [r.job, r.name, r.user, time(r.seconds), r.mainCause]);

  document.getElementById('foot').append(
    h('p', {}, 'A task is slow if it took longer than 1.5 times the median of its phase. Cost: the time by which its job was longer.'),
    h('p', {}, `drover ${data.version}`));
  Parts.drawAll();
})();

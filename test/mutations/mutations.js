/** One planted bug for every law, at least: a piece of the source and what it is replaced with. The law's checker must find it. */

/** @type {import('./mutations.js').Mutation[]} */
export const mutations = [
  {
    law: 'replay', bug: 'the fold asks for chance', file: 'core/evolve.ts',
    from: 'state.turns++', to: 'state.turns += 1 + Math.floor(Math.random() * 2)',
  },
  {
    law: 'replay', bug: 'the engine changes its state without an event', file: 'engine/engine.ts',
    from: 'recorder.record({ type: \'work.finished\', id, outcome })\n', to: 'recorder.record({ type: \'work.finished\', id, outcome })\n    state.wave += 0.5\n',
  },
  {
    law: 'order', bug: 'a clock set back makes time run backwards', file: 'engine/recorder.ts',
    from: 'new Date(Math.max(now(), state.lastAt === \'\' ? 0 : Date.parse(state.lastAt)))', to: 'new Date(now())',
  },
  {
    law: 'prefixes', bug: 'deciding changes the state', file: 'core/stages/execute.ts',
    from: 'const [id] = state.ready\n', to: 'const id = state.ready.shift()\n',
  },
  {
    law: 'duplicates', bug: 'an outcome that comes late counts', file: 'core/evolve.ts',
    from: 'if (!started) return\n', to: 'if (!started) return void ((state.ledger[ownerOf(id)] ??= {})[id] = { outcome, at })\n',
  },
  {
    law: 'duplicates', bug: 'an answer that comes twice is recorded twice', file: 'engine/engine.ts',
    from: 'if (!work || !isRemote(work)) continue',
    to: 'if (!work && answer.state === \'done\') finished(id, answer.outcome)\n      if (!work || !isRemote(work)) continue',
  },
  {
    law: 'indexes', bug: 'a count is not kept', file: 'core/task-graph.ts',
    from: '  state.counts[status]++\n', to: '',
  },
  {
    law: 'dependencies', bug: 'only unknown dependencies are waited for', file: 'core/task-graph.ts',
    from: 'if (!known || !satisfied(state, known)) task.waitingOn++', to: 'if (!known) task.waitingOn++',
  },
  {
    law: 'slots', bug: 'one task too many', file: 'core/stages/execute.ts',
    from: 'state.active.length >= state.config.parallel', to: 'state.active.length > state.config.parallel',
  },
  {
    law: 'slots', bug: 'one check too many', file: 'core/decide.ts',
    from: 'checks++ >= state.config.checksParallel', to: 'checks++ > state.config.checksParallel',
  },
  {
    law: 'slots', bug: 'everybody may merge', file: 'core/stages/execute.ts',
    from: 'merging === null || merging === id', to: 'true',
  },
  {
    law: 'slots', bug: 'a workspace is taken before its last user has left', file: 'core/under-way.ts',
    from: ' && isFree(work)', to: '',
  },
  {
    law: 'caps', bug: 'every cap allows one more', file: 'core/policies/ladder.ts',
    from: 'used < limit', to: 'used <= limit',
  },
  {
    law: 'caps', bug: 'attempts are not counted', file: 'core/evolve.ts',
    from: '    task.attemptsLeft--\n', to: '    task.attemptsLeft -= task.attempts % 2\n',
  },
  {
    law: 'budget', bug: 'turns that start together are not counted', file: 'core/policies/budget.ts',
    from: 'state.turns + starting >= turns', to: 'state.turns >= turns',
  },
  {
    law: 'budget', bug: 'nothing is reserved for turns under way', file: 'core/policies/budget.ts',
    from: 'state.usage.costUsd + open.costUsd >= costUsd', to: 'state.usage.costUsd >= costUsd',
  },
  {
    law: 'endings', bug: 'a limit pauses the run without saying what to do', file: 'core/policies/budget.ts',
    from: 'hint: `Raise it and go on: ${command}`', to: 'hint: \'\'',
  },
  {
    law: 'endings', bug: 'the engine loses count of what is durable', file: 'engine/recorder.ts',
    from: 'durable = events.at(-1)?.seq ?? durable', to: 'durable = events.length > 6 ? durable : events.at(-1)?.seq ?? durable',
  },
  {
    law: 'completion', bug: 'failed tasks are forgotten', file: 'core/stages/execute.ts',
    from: '  if (failed > 0) return conclude(', to: '  if (failed > 99) return conclude(',
  },
  {
    law: 'completion', bug: 'a task added while the report is written is forgotten', file: 'core/stages/report.ts',
    from: 'state.counts.todo > 0', to: 'state.counts.todo > 99',
  },
  {
    law: 'convergence', bug: 'a crash grants new attempts', file: 'core/evolve.ts',
    from: 'const crashed = state.status === \'running\'', to: 'const crashed = false',
  },
  {
    law: 'liveness', bug: 'lost work is never noticed', file: 'engine/engine.ts',
    from: 'else if (answer.state === \'lost\') lost(id, answer)', to: 'else if (answer.state === \'lost\') continue',
  },
  {
    law: 'running-time', bug: 'the time without an engine counts', file: 'core/evolve.ts',
    from: '    stopClock(state, state.lastAt)\n    Object.assign(', to: '    stopClock(state, at)\n    Object.assign(',
  },
  {
    law: 'write-ahead', bug: 'work starts before its record is durable', file: 'engine/engine.ts',
    from: '    await recorder.flush()\n    for (const work of missing) start(work)\n', to: '    for (const work of missing) start(work)\n    await recorder.flush()\n',
  },
  {
    law: 'evidence', bug: 'what a merge made is not checked again', file: 'core/stages/integrate.ts',
    from: 'if (merged.tree === standing.tree) return null', to: 'return null',
  },
  {
    law: 'evidence', bug: 'an exit code is not looked at', file: 'core/policies/checks.ts',
    from: 'return { passed: outcome.exitCode === 0, usable', to: 'return { passed: true, usable',
  },
  {
    law: 'starting-point', bug: 'a reader\'s edits are kept', file: 'engine/engine.ts',
    from: 'const tree = writes(work.role, work.purpose) ? null : work.tree', to: 'const tree = null',
  },
  {
    law: 'evidence', bug: 'what landed while a run ended is not told', file: 'core/stages/execute.ts',
    from: 'for (const task of state.active.map((id) => taskOf(state, id))) {', to: 'for (const task of []) {',
  },
  {
    law: 'landing', bug: 'what has landed is tried again', file: 'core/stages/integrate.ts',
    from: '    case \'landed\':\n      return null\n', to: '    case \'landed\':\n      return standing.attempt.n === 1 ? fail(standing, conflict([])) : null\n',
  },
  {
    law: 'processes', bug: 'living agents are not taken over', file: 'engine/engine.ts',
    from: 'await dispatch.recover(left.flatMap(', to: 'await dispatch.recover([].flatMap(',
  },
  {
    law: 'processes', bug: 'a plan that is made afresh uses the old folders', file: 'core/evolve.ts',
    from: 'starts: state.plan.accepted ? {} : state.starts', to: 'starts: {}',
  },
  {
    law: 'starting-point', bug: 'what a lost turn left half-done stays', file: 'engine/engine.ts',
    from: '      await workspaces.restore(work.workspace, work.tree)\n', to: '',
  },
  {
    law: 'caps', bug: 'a resume forgets errors that were made good long ago', file: 'core/evolve.ts',
    from: '[questionOf(id), { id, outcome }]', to: '[id, { id, outcome }]',
  },
  {
    law: 'processes', bug: 'a run that failed goes on in the middle of an attempt', file: 'core/evolve.ts',
    from: '    state.active.slice().forEach((id) => layDown(state, id))\n', to: '',
  },
  {
    law: 'commands', bug: 'an order is acknowledged before it is durable', file: 'engine/engine.ts',
    from: '    await recorder.flush()\n    for (const { id } of commands) await options.inbox.acknowledge(id)\n',
    to: '    for (const { id } of commands) await options.inbox.acknowledge(id)\n    await recorder.flush()\n',
  },
  {
    law: 'commands', bug: 'orders to skip are dropped', file: 'engine/engine.ts',
    from: 'if (\'fact\' in received) recorder.record(received.fact)', to: 'if (\'fact\' in received && command.do !== \'skip\') recorder.record(received.fact)',
  },
  {
    law: 'commands', bug: 'orders to add are dropped', file: 'engine/engine.ts',
    from: 'if (\'fact\' in received) recorder.record(received.fact)', to: 'if (\'fact\' in received && command.do !== \'add\') recorder.record(received.fact)',
  },
  {
    law: 'commands', bug: 'a task is added again after a crash', file: 'core/commands.ts',
    from: 'if (state.order.some((id) => state.tasks[id]?.origin === origin)) return { refused: \'it was added already\' }\n', to: '\n',
  },
  {
    law: 'commands', bug: 'nobody looks into the inbox again', file: 'engine/engine.ts',
    from: '    nudge() {\n      mail = true\n', to: '    nudge() {\n',
  },
  {
    law: 'caps', bug: 'waiting may take a hundred times as long', file: 'core/waiting.ts',
    from: 'total > waitMinutes * 60_000', to: 'total > waitMinutes * 6_000_000',
  },
  {
    law: 'evidence', bug: 'zero tests are a pass', file: 'core/policies/checks.ts',
    from: '  if (outcome.exitCode === 0 && outcome.tests === 0) return { passed: false, usable: true, note: \'no test was executed\' }\n', to: '',
  },
  {
    law: 'starting-point', bug: 'what a check left behind stays', file: 'engine/engine.ts',
    from: ' || (work.kind === \'turn\' && littered.has(work.workspace))', to: '',
  },
  {
    law: 'evidence', bug: 'what a check left behind lands', file: 'engine/engine.ts',
    from: 'if (work?.kind === \'check\' || (work', to: 'if ((work',
  },
]

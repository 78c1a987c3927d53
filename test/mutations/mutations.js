/**
 * One planted bug for every law, at least: a piece of the source and what it is replaced with. The law's checker must
 * find it.
 */

/** @type {import('./mutations.js').Mutation[]} */
export const mutations = [
  {
    law: 'replay', bug: 'the fold asks for chance', file: 'core/evolve.ts',
    from: 'state.turns++', to: 'state.turns += 1 + Math.floor(Math.random() * 2)',
  },
  {
    law: 'replay', bug: 'the engine changes its state without an event', file: 'engine/engine.ts',
    from: 'recorder.record({ type: \'work.finished\', id, outcome: paid(id, outcome) })\n',
    to: 'recorder.record({ type: \'work.finished\', id, outcome: paid(id, outcome) })\n    state.wave += 0.5\n',
  },
  {
    law: 'order', bug: 'a clock set back makes time run backwards', file: 'engine/recorder.ts',
    from: 'new Date(Math.max(clock.now(), state.lastAt === \'\' ? 0 : Date.parse(state.lastAt)))', to: 'new Date(clock.now())',
  },
  {
    law: 'prefixes', bug: 'deciding changes the state', file: 'core/stages/execute.ts',
    from: 'return state.ready.find((id) => mayRunNow(state, taskOf(state, id))) ?? null', to: 'return state.ready.shift() ?? null',
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
    law: 'slots', bug: 'one task too many', file: 'core/slots.ts',
    from: 'slotsTaken(state) < state.config.parallel', to: 'slotsTaken(state) <= state.config.parallel',
  },
  {
    law: 'slots', bug: 'one check too many', file: 'core/decide.ts',
    from: 'checks++ >= state.config.checksParallel', to: 'checks++ > state.config.checksParallel',
  },
  {
    law: 'slots', bug: 'everybody may merge', file: 'core/stages/execute.ts',
    from: 'mayIntegrate: integrating === null || integrating === id', to: 'mayIntegrate: true',
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
    law: 'convergence', bug: 'a crash grants new attempts', file: 'core/evolve.ts', first: 3_601,
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
    from: '    await recorder.flush()\n    for (const task of new Set([...over, ...late])) leave(task)\n    late.clear()\n    for (const work of missing) start(work)\n',
    to: '    for (const work of missing) start(work)\n    await recorder.flush()\n    for (const task of new Set([...over, ...late])) leave(task)\n    late.clear()\n',
  },
  {
    law: 'evidence', bug: 'what a merge made is not checked again', file: 'core/stages/integrate.ts',
    from: "if (checked.status === 'not-yet') return checked.proposal\n  if (checked.status === 'green') return null\n  if (isUndecided",
    to: "if (merged.stacked) return null\n  if (checked.status === 'not-yet') return checked.proposal\n  if (checked.status === 'green') return null\n  if (isUndecided",
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
    law: 'evidence', bug: 'what landed while a run ended is not told', file: 'core/stages/execute.ts', first: 1_301,
    from: 'for (const task of state.active.map((id) => taskOf(state, id))) {', to: 'for (const task of []) {',
  },
  {
    law: 'landing', bug: 'what has landed is tried again', file: 'core/stages/integrate.ts',
    from: '    case \'landed\':\n    case \'placed\':\n      return null\n', to: '    case \'placed\':\n      return null\n    case \'landed\':\n      return standing.attempt.n === 1 ? fail(standing, conflict([])) : null\n',
  },
  {
    law: 'processes', bug: 'living agents are not taken over', file: 'engine/engine.ts',
    from: 'await dispatch.recover(left.flatMap(', to: 'await dispatch.recover([].flatMap(',
  },
  {
    law: 'processes', bug: 'a plan that is made afresh uses the old folders', file: 'core/resuming.ts',
    from: '.filter(([id]) => isAsked(id))) : starts', to: '.filter(([id]) => isAsked(id))) : {}',
  },
  {
    law: 'starting-point', bug: 'what a lost turn left half-done stays', file: 'engine/engine.ts',
    from: '      await workspaces.restore(work.workspace, work.tree)\n', to: '',
  },
  {
    law: 'caps', bug: 'a resume forgets errors that were made good long ago', file: 'core/resuming.ts',
    from: '[questionOf(id), { id, outcome }]', to: '[id, { id, outcome }]',
  },
  {
    law: 'processes', bug: 'a run that failed goes on in the middle of an attempt', file: 'core/evolve.ts',
    from: '    state.active.slice().forEach((id) => layDown(state, id, at))\n', to: '',
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
    law: 'limits-ordered', bug: 'what a turn spends raises the limit of turns', file: 'core/evolve.ts',
    from: "  'budget.spent'(state, { work: id, usage }) {\n",
    to: "  'budget.spent'(state, { work: id, usage }) {\n    state.config.limits.turns = (state.config.limits.turns ?? 0) + 1\n",
  },
  {
    law: 'limits-ordered', bug: 'a run that reaches its limit of iterations raises it', file: 'core/stages/execute.ts',
    from: 'return pause(limitReached(`the limit of ${iterations} iteration${iterations === 1 ? \'\' : \'s\'}`, hint))',
    to: 'return hint && record({ type: \'limits.changed\', limits: { iterations: (iterations ?? 0) + 1 } })',
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
    law: 'evidence', bug: 'a check is given files that another check still runs on', file: 'engine/engine.ts',
    from: '    dispatch.ensure({ work, starts, cwd: path })\n', to: '    dispatch.ensure({ work, starts, cwd: path })\n    workspaces.verified(work.id)\n',
  },
  {
    law: 'claims', bug: 'nobody asks the source before a task begins', file: 'core/stages/backlog.ts',
    from: 'return unready(state, next) ?? look(state, backlog, next)', to: 'return unready(state, next) ?? startTask(state, next)',
  },
  {
    law: 'claims', bug: 'a refusal of the source is a yes', file: 'sources/mirror.ts',
    from: 'ok: isOnlyHere || (await store.claim(work.claim, run, state.lastAt))', to: 'ok: (await store.claim(work.claim, run, state.lastAt)) || true',
  },
  {
    law: 'selection', bug: 'ids are in the order of their letters', file: 'core/task-graph.ts',
    from: 'return compareIds(a.id, b.id) < 0', to: 'return a.id < b.id',
  },
  {
    law: 'selection', bug: 'what is under way there does not come first', file: 'core/task-graph.ts',
    from: '  if (a.begun !== b.begun) return a.begun === true\n', to: '',
  },
  {
    law: 'selection', bug: 'a blocked task is tried again although nothing has changed', file: 'core/stages/backlog.ts',
    from: '(backlog?.finished ?? 0) > doneBefore', to: '(backlog?.finished ?? 0) >= doneBefore',
  },
  {
    law: 'caps', bug: 'a blocked task is tried as often as it likes', file: 'core/stages/backlog.ts',
    from: 'task.waitingOn === 0 && task.attemptsLeft > 0 &&', to: 'task.waitingOn === 0 && (task.attemptsLeft = 1) > 0 &&',
  },
  {
    law: 'caps', bug: 'a stage goes on although two passes in a row are blocked', file: 'core/stages/loop.ts', first: 1_801,
    from: 'if (loop.blocked >= 2) return', to: 'if (loop.blocked >= 3) return',
  },
  {
    law: 'hand-edits', bug: 'the run knows better where a task stands', file: 'sources/mirror.ts',
    from: 'task.status === put?.[0] || isClaim(task, mine, there)', to: 'there !== undefined',
  },
  {
    law: 'hand-edits', bug: 'what somebody took out is forgotten, and put back', file: 'sources/mirror.ts', first: 3_301,
    from: '      known.set(id, gone)\n', to: '      known.delete(id)\n',
  },
  {
    law: 'hand-edits', bug: 'news on top of news hides what was there before it', file: 'sources/mirror.ts', first: 23_601,
    from: 'const was = forget(task.id)', to: 'const was = known.get(task.id)',
  },
  {
    law: 'mirrored', bug: 'the source is not told what is done', file: 'sources/mirror.ts',
    from: 'else if (event.type === \'task.finished\' || event', to: 'else if ((event.type === \'task.finished\' && event.status !== \'done\') || event',
  },
  {
    law: 'mirrored', bug: 'an engine that looks no more tells nothing of what the one before did', file: 'sources/mirror.ts',
    from: ' || (!hasCompared && mayBeUntold(state))', to: '',
  },
  {
    law: 'mirrored', bug: 'a run that failed for want of tasks never looks again', file: 'core/loop-progress.ts',
    from: '{ fresh: false, written: 0 }', to: '{ written: 0 }',
  },
  {
    law: 'claims', bug: 'a claim that nobody remembers is somebody else\'s', file: 'sources/mirror.ts',
    from: ' || isClaim(task, mine, there)', to: '',
  },
  {
    law: 'claims', bug: 'a task that somebody else has is tried again when another is done', file: 'core/stages/backlog.ts',
    from: 'task.held === undefined && task.waitingOn === 0', to: 'task.waitingOn === 0',
  },
  {
    law: 'claims', bug: 'a task that somebody else begins is opened again', file: 'core/policies/source-changes.ts', first: 1_801,
    from: 'if (taken && known.held === \'taken\') return []', to: '',
  },
  {
    law: 'mirrored', bug: 'a backlog is given up while it is being written', file: 'core/evolve.ts', first: 2_101,
    from: 'if (work.kind === \'turn\') state.turns++\n',
    to: 'if (work.kind === \'turn\') state.turns++\n    if (work.kind === \'sync\' && work.write && state.backlog) state.backlog.written++\n',
  },
  {
    law: 'evidence', bug: 'a skipped task is done', file: 'core/stages/iterate.ts',
    from: 'status: \'cancelled\', reason: result.summary', to: 'status: \'done\', reason: result.summary',
  },
  {
    law: 'starting-point', bug: 'what an agent left that says there is more to do is not looked at', file: 'core/stages/attempt.ts',
    from: 'fixOrFail(after, coded.unfinished, null)', to: 'fixOrFail(standing, coded.unfinished, null)',
  },
  {
    law: 'starting-point', bug: 'what an agent without a valid answer left stays', file: 'engine/engine.ts',
    from: 'outcome.kind === \'turn\' && outcome.status !== \'ok\'', to: 'outcome.kind === \'turn\' && outcome.status === \'error\'',
  },
  {
    law: 'loops', bug: 'one agent alone is a plateau', file: 'core/policies/completion.ts',
    from: 'agreed >= 2', to: 'agreed >= 1',
  },
  {
    law: 'loops', bug: 'a stage is complete although its checks are red', file: 'core/policies/completion.ts',
    from: 'if (failure !== null) return', to: 'if (failure !== null && iterations < 0) return',
  },
  {
    law: 'loops', bug: 'a stage of which nothing came is complete', file: 'core/policies/completion.ts',
    from: 'if (loop.succeeded === 0) return', to: 'if (loop.succeeded < 0) return',
  },
  {
    law: 'loops', bug: 'a judge need not be sure', file: 'core/stages/loop.ts',
    from: 'answer.result.stop && answer.result.confidence >= completion.confidence', to: 'answer.result.stop',
  },
  {
    law: 'mirrored', bug: 'nobody looks for tasks in the second stage that works on them', file: 'core/loop-progress.ts',
    from: '  if (backlog) Object.assign(backlog, { fresh: false, claimed: null })\n', to: '',
  },
  {
    law: 'loops', bug: 'what has landed is not what the next pass builds on', file: 'core/stages/loop.ts',
    from: 'const kept = { ...after, base: landed.base }', to: 'const kept = after',
  },
  {
    law: 'processes', bug: 'tries at one pass have the same name', file: 'core/loop-progress.ts',
    from: 'tries: counts ? 0 : loop.tries + 1,', to: 'tries: 0,',
  },
  {
    law: 'landed-stays', bug: 'a rollback forgets one of the tasks that it undoes', file: 'core/stages/wave.ts',
    from: '.filter((id) => tasks[id]?.status === \'done\')\n  // What', to: '.filter((id) => tasks[id]?.status === \'done\').slice(1)\n  // What',
  },
  {
    law: 'landed-stays', bug: 'the run does not know that a change was taken back', file: 'core/convergence.ts',
    from: 'task: id, commit: revert, wave', to: 'task: id, commit: reverts ?? revert, wave',
  },
  {
    law: 'rollback-to-green', bug: 'what had to be taken back is gone back to', file: 'core/sound.ts',
    from: 'while (kept > 0 && takenBackLater(landings, kept) !== null) kept--', to: 'while (kept > 99) kept--',
  },
  {
    law: 'rollback-to-green', bug: 'a checkpoint is good although something in it had to be taken back', file: 'core/policies/recovery.ts', first: 2_901,
    from: ' && takenBackLater(landings, known.landings) === null', to: '',
  },
  {
    law: 'recoveries-bounded', bug: 'recoveries are not counted', file: 'core/convergence.ts',
    from: 'state.convergence.recoveries[from] = n\n', to: 'state.convergence.recoveries[from] = n - 1\n',
  },
  {
    law: 'undone', bug: 'what was taken back gets no other attempt', file: 'core/convergence.ts',
    from: 'attemptsLeft: Math.max(task.attemptsLeft, 1)', to: 'attemptsLeft: task.attemptsLeft',
  },
  {
    law: 'undone', bug: 'nobody is told why a change was taken back', file: 'core/convergence.ts',
    from: '  task.failures = [...task.failures.slice(-4), failure]\n', to: '',
  },
  {
    law: 'flaky-blames-nobody', bug: 'a flaky check is red like any other', file: 'core/policies/baseline.ts',
    from: 'isKnownFlaky(state.flaky, check, outcome, before) ?', to: 'check.name === \'\' ?',
  },
  {
    law: 'flaky-blames-nobody', bug: 'a coder is to fix the flaky check that is the only one', file: 'core/stages/integrate.ts',
    from: 'if (checked.status === \'unproven\') return fail(standing, checked.failure)\n', to: '\n',
  },
  {
    law: 'baseline-blames-nobody', bug: 'what was red before is not compared test by test', file: 'core/policies/baseline.ts',
    from: 'return isLess || beyond(failing, before.failing).length > 0 ? null : \'no-worse\'', to: 'return null',
  },
  {
    law: 'tamper-never-lands', bug: 'the guard only warns', file: 'core/stages/tampering.ts',
    from: 'if (!blocks) return null', to: 'if (lines.length > 0) return null',
  },
  {
    law: 'tamper-never-lands', bug: 'passes of a loop are not looked at', file: 'core/stages/loop.ts', first: 1_501,
    from: ', ...guarding(state, since)', to: '',
  },
  {
    law: 'tamper-never-lands', bug: 'in place, what a failed attempt has left counts as having been there', file: 'core/stages/tampering.ts',
    from: ', ...(tree === null || tree === since ? {} : { accepted: tree })', to: '',
  },
  {
    law: 'tamper-never-lands', bug: 'every task may do with tests as it likes', file: 'core/policies/tamper.ts',
    from: '!isLicensed(text, kind)', to: '!isLicensed(text, kind) && text === \'\'',
  },
  {
    law: 'proof', bug: 'new tests are proof also where they pass without the change', file: 'core/stages/proving.ts',
    from: 'const isRed = !seen.passed && seen.usable && seen.outcome.exitCode !== 0', to: 'const isRed = seen.usable',
  },
  {
    law: 'proof', bug: 'what was red before is taken for a proof', file: 'core/stages/proving.ts',
    from: ' && !wasRed(state, check, seen.outcome)', to: ' || wasRed(state, check, seen.outcome)',
  },
  {
    law: 'race', bug: 'another attempt lands than won', file: 'core/evolve-convergence.ts',
    from: '    task.attempt = attempt\n', to: '',
  },
  {
    law: 'slots', bug: 'attempts that race take no slots', file: 'core/stages/race.ts',
    from: 'Math.min(wanted, parallel - slotsTaken(state), task.attemptsLeft)', to: 'Math.min(wanted, task.attemptsLeft)',
  },
  {
    law: 'overlap', bug: 'nobody looks at what tasks declare', file: 'core/stages/execute.ts',
    from: 'return files.length === 0 || !active.some(', to: 'return files.length < 99 || !active.some(',
  },
  {
    law: 'processes', bug: 'an attempt that was called off shares its name with the next', file: 'core/leave-workspaces.ts',
    from: '{ attempt: null, attemptsLeft: task.attemptsLeft + 1 + (task.rivals?.length ?? 0) }',
    to: '{ attempt: null, attempts: task.attempts - 1, attemptsLeft: task.attemptsLeft + 1 }',
  },
  {
    law: 'proof', bug: 'nothing is said of new tests that no check tells of', file: 'core/stages/proving.ts',
    from: 'if (checks.length === 0) return give(false, untold(standing))', to: 'if (checks.length === 0) return null',
  },
  {
    law: 'starting-point', bug: 'what an agent without an answer left before a crash stays', file: 'engine/engine.ts',
    from: 'for (const place of placesUnderWay(state)) littered.add(place)', to: 'for (const place of state.active) littered.add(place)',
  },
  {
    law: 'processes', bug: 'a wave that is reviewed once more uses the old folders', file: 'core/resuming.ts',
    from: 'backlog|baseline|gate|wave\\d+', to: 'backlog|baseline|gate',
  },
  {
    law: 'mirrored', bug: 'the source is not told what a rollback opened again', file: 'sources/mirror.ts', first: 3_401,
    from: ' || event.type === \'rolled.back\'', to: '',
  },
  {
    law: 'evidence', bug: 'a backlog is done although a check of the whole is red', file: 'core/stages/gate.ts', first: 1_001,
    from: 'return open ?? conclude(conclusion)',
    to: 'return open?.facts.some(({ type }) => type === \'check.finished\') || open?.work.length ? open : conclude({ status: \'completed\', reason: null })',
  },
  {
    law: 'evidence', bug: 'in place, checks of the whole never run', file: 'core/stages/gate.ts',
    from: 'const all = [...checksFor(state, null), ...acceptedBy(state), ...wholeChecks(state)]',
    to: 'const all = [...checksFor(state, null).filter(({ name }) => !inPlace(state) || name !== state.config.checks.find(({ when }) => when === \'wave\')?.name), ...acceptedBy(state), ...wholeChecks(state)]',
  },
  {
    law: 'landed-is-verified', bug: 'checks run where the agent worked', file: 'core/stages/integrate.ts',
    from: 'workspace: verificationWorkspace, tree: merged.tree, commit: merged.commit,', to: 'workspace: standing.workspace, tree: merged.tree,',
  },
  {
    law: 'landed-is-verified', bug: 'a pass lands unchecked', file: 'core/stages/loop.ts',
    from: 'const landAnyway = inPlace(state) || !stage.checks', to: 'const landAnyway = loop.iterations > 0 || inPlace(state) || !stage.checks',
  },
  {
    law: 'liveness', bug: 'a verification workspace is never given back', file: 'engine/engine.ts',
    from: 'if (verifying.delete(id)) workspaces.verified(id)', to: 'verifying.delete(id)',
  },
  {
    law: 'gate-runs-itself', bug: 'what an earlier process saw at the gate counts', file: 'core/evolve.ts',
    from: '    checkAgain(state)\n', to: '',
  },
  {
    law: 'gate-runs-itself', bug: 'the gate passes over the checks of tasks', file: 'core/stages/gate.ts',
    from: '...checksFor(state, null), ...acceptedBy(state), ...wholeChecks(state)', to: '...checksFor(state, null), ...wholeChecks(state)',
  },
  {
    law: 'turns-back-facts', bug: 'the goal is approved whatever the supervisor says', file: 'core/stages/gate.ts',
    from: 'verdict: judge(answer.result, state.config.thresholds) }', to: 'verdict: { ...judge(answer.result, state.config.thresholds), approved: true } }',
  },
  {
    law: 'turns-back-facts', bug: 'a task is done although its coder gave up', file: 'core/stages/attempt.ts',
    from: "if (answer.status !== 'answered') return { proposal: unanswered(answer, failsAttempt(standing)) }\n  if (answer.result.status !== 'complete')",
    to: "if (answer.status === 'failed') return { result: { status: 'complete', summary: '', files: [], decisions: [], questions: [], newTasks: [], blocker: null, patterns: [] }, id: `${id}/implement` }\n  if (answer.status !== 'answered') return { proposal: unanswered(answer, failsAttempt(standing)) }\n  if (answer.result.status !== 'complete')",
  },
]

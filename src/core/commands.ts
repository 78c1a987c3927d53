/** Turns a person's command into the one event that records it, or into a refusal with its reason. */
import type { Command, Fact } from '../model/event.ts'
import { parsePermission, permissionNoun } from '../model/permission.ts'
import type { RunState } from '../model/state.ts'
import type { TaskSpec } from '../model/task.ts'
import { grantedBy } from './questions/guard-question.ts'
import { commandOrigin, waveOwner } from '../model/work-id.ts'
import { findTask } from './tasks/task-graph.ts'
import { brokenIn } from './tasks/rollback-target.ts'
import { hasPasses, inPlace } from './tasks/workspace-needs.ts'
import { taskCancelled } from './tasks/task-ends.ts'
import { numberedId } from '../model/task-id.ts'

/** `unknown`: there is no such task. Without it, the state of the run or the task does not permit the command. */
export type Received = { fact: Fact } | { refused: string; unknown?: 'task' }

const noTask = (text: string): Received => ({ refused: text, unknown: 'task' })

export function receive(state: RunState, command: Command): Received {
  switch (command.do) {
    case 'pause':
    case 'stop':
    case 'abort':
      return { fact: { type: 'stop.requested', how: command.do } }
    case 'limit':
      return { fact: { type: 'limits.changed', limits: command.limits } }
    case 'answer':
      return answer(state, command)
    case 'add':
      return add(state, command)
    case 'retry':
      return retry(state, command.task)
    case 'skip':
      return skip(state, command.task, command.reason)
    case 'rollback':
      return rollback(state, command.to)
  }
}

function answer(state: RunState, { question: id, answer: text }: Extract<Command, { do: 'answer' }>): Received {
  const question = state.questions.find((candidate) => candidate.id === id)
  if (!question) return { refused: `there is no question ${id}` }
  const allows = grantedBy(question, text)
  return {
    fact: {
      type: 'question.answered',
      question: id,
      answer: text,
      by: 'person',
      ...(allows.length > 0 ? { allows } : {}),
    },
  }
}

/** In a pipeline, only a stage with the completion `tasks-empty` works on tasks. */
function untaken({ pipeline, loop }: RunState): string | null {
  const isTaken =
    pipeline?.stages.slice(loop?.stage ?? 0).some(({ completion }) => completion.kind === 'tasks-empty') ?? true
  return isTaken ? null : 'no stage is left that works on tasks'
}

function add(state: RunState, { id: command, task }: Extract<Command, { do: 'add' }>): Received {
  const refused = untaken(state)
  if (refused !== null) return { refused }
  const unknown = task.dependsOn.find((id) => !findTask(state, id))
  if (unknown !== undefined) return noTask(`there is no task ${unknown} to depend on`)
  const { repairs = [], allows = [] } = task
  const objection = fieldObjection(state, repairs, allows)
  if (objection !== null) return { refused: objection }
  const origin = commandOrigin(command)
  if (state.order.some((id) => state.tasks[id]?.origin === origin)) return { refused: 'it was added already' }
  let number = state.order.length + 1
  while (state.tasks[numberedId(number)]) number++
  const spec: TaskSpec = {
    id: numberedId(number),
    title: task.title,
    description: task.description,
    complexity: 'medium',
    type: null,
    dependsOn: task.dependsOn,
    criteria: task.criteria,
    checks: [],
    files: [],
    priority: task.priority ?? 1000,
    parent: null,
    depth: 0,
    ...(repairs.length > 0 ? { repairs } : {}),
    ...(allows.length > 0 ? { allows } : {}),
  }
  return { fact: { type: 'task.added', task: spec, origin } }
}

/** A name with a typing error would silently have no effect, so unknown names are refused. */
function fieldObjection({ config }: RunState, repairs: readonly string[], allows: readonly string[]): string | null {
  const wrong = allows.find((entry) => parsePermission(entry) === null)
  if (wrong !== undefined) return `"${wrong}" is no permission: use ${permissionNoun}`
  const names = config.checks.map(({ name }) => name)
  const unknown = repairs.find((name) => !names.includes(name))
  if (unknown === undefined) return null
  return `there is no check called "${unknown}"${names.length > 0 ? `; there are ${names.join(', ')}` : ''}`
}

/** Rolls back the run's own branch only, to the base of the run or to a commit that this run landed. */
function rollback(state: RunState, to: string | null): Received {
  const { checkpoints, landings, base } = state
  if (state.status === 'new') return { refused: 'this run has not begun' }
  if (inPlace(state) || !state.config.workspace.commit) {
    return { refused: 'this run works in your checkout, so it has no branch to roll back' }
  }
  if (hasPasses(state)) return { refused: 'the passes of a pipeline build on each other, so it cannot be rolled back' }
  const refused = untaken(state)
  if (refused !== null) return { refused }
  if (state.discardedAt !== null) return { refused: 'the changes of this run were discarded' }
  if (isGoingBack(state)) return { refused: 'the run branch is being rolled back already' }
  if (landings.length === 0) return { refused: 'nothing has landed that could be rolled back' }
  const target = to === null ? lastGood(state) : named(state, to)
  if (!target) {
    const known = [...checkpoints.map(({ id }) => id), 'base'].join(', ')
    return { refused: `there is no checkpoint or commit of this run called "${to}"; there are ${known}` }
  }
  const broken = brokenIn(state, landings.findIndex(({ commit }) => commit === target.commit) + 1)
  if (broken)
    return { refused: `${to ?? target.commit.slice(0, 8)} has the change of ${broken.task}, which broke something` }
  if (target.commit === landings.at(-1)?.commit) {
    return { refused: `the run branch is at ${target.id ?? target.commit.slice(0, 8)} already` }
  }
  return {
    fact: {
      type: 'rollback.requested',
      to: target.commit,
      checkpoint: target.commit === base.commit ? null : target.id,
    },
  }
}

/** The branch may have moved already. A second request would be mistaken for the one that was carried out. */
const isGoingBack = ({ works, ledger, wave }: RunState): boolean =>
  Object.values(works).some(({ work }) => work.kind === 'rollback')
  || Object.values(ledger[waveOwner(wave)] ?? {}).some(
    ({ outcome }) => outcome.kind === 'rollback' && outcome.status === 'done',
  )

interface Target {
  commit: string
  id: string | null
}

function lastGood(state: RunState): Target {
  const { checkpoints, landings, base } = state
  const isGood = (kept: number): boolean => kept < landings.length && brokenIn(state, kept) === null
  return checkpoints.findLast((known) => isGood(known.landings)) ?? { commit: base.commit, id: null }
}

function named({ checkpoints, landings, base }: RunState, name: string): Target | null {
  const checkpoint = checkpoints.find(({ id }) => id === name.toUpperCase())
  if (checkpoint) return checkpoint
  if (name === 'base') return { commit: base.commit, id: null }
  if (!/^[0-9a-f]{7,64}$/.test(name)) return null
  const commits = [base.commit, ...landings.map(({ commit }) => commit)].filter((commit) => commit.startsWith(name))
  return commits.length === 1 && commits[0] !== undefined ? { commit: commits[0], id: null } : null
}

function retry(state: RunState, id: string): Received {
  const task = findTask(state, id)
  if (!task) return noTask(`there is no task ${id}`)
  if (task.status !== 'failed' && task.status !== 'blocked' && task.status !== 'cancelled')
    return { refused: `${id} is ${task.status}` }
  const refused = untaken(state)
  if (refused !== null) return { refused }
  return { fact: { type: 'task.reopened', tasks: [id], why: 'asked' } }
}

function skip(state: RunState, id: string, reason: string | null): Received {
  const task = findTask(state, id)
  if (!task) return noTask(`there is no task ${id}`)
  if (task.status === 'done' || task.status === 'cancelled' || task.status === 'split')
    return { refused: `${id} is ${task.status}` }
  return { fact: taskCancelled(id, reason ?? 'skipped by the user') }
}

/** Tasks and their attempts. `task-graph.ts` maintains the indexes over them. */
import type { CheckRecord } from '../../model/event.ts'
import type { AttemptState, RunState } from '../../model/state.ts'
import type { TasksSlice } from '../../model/state/tasks.ts'
import { noUsage } from '../../model/usage.ts'
import { setFields } from '../../model/set-fields.ts'
import { drop } from '../tasks/owners.ts'
import { attemptOf, joinsRace, leaveRace } from '../tasks/racers.ts'
import { addTask, editTask, setStatus, updateGranted } from '../tasks/task-graph.ts'
import { attemptsGranted } from './attempts-granted.ts'
import { recordOf } from './check-record.ts'
import { finishTask } from './finish-task.ts'
import { beginWork, endWork, recordAttempt } from './history.ts'
import { leaveWorkspaces } from './leave-workspaces.ts'
import type { Slice } from './slice.ts'

export const tasksSlice = {
  initial: () => ({
    tasks: {},
    order: [],
    ready: [],
    active: [],
    counts: { todo: 0, doing: 0, done: 0, failed: 0, blocked: 0, split: 0, cancelled: 0 },
    met: 0,
    recent: [],
    dependents: {},
  }),

  on: {
    'run.forked'(state) {
      leaveWorkspaces(state)
      for (const task of Object.values(state.tasks)) {
        task.usage = { ...noUsage }
        delete task.begunMs
      }
    },

    'run.resumed'(state) {
      if (state.pause?.kind === 'health') forgetRed(state)
      if (state.status !== 'running') tryAfresh(state)
    },

    'run.ended'(state, { at }) {
      state.active.slice().forEach((id) => layDown(state, id, at))
    },

    'question.answered'(state, { question: id }) {
      const question = state.questions.find((candidate) => candidate.id === id)
      if (question?.allows) question.blocks.forEach((task) => updateGranted(state, task))
    },

    'task.added'(state, { task, origin, was }) {
      addTask(state, task, origin, was)
    },

    'task.edited'(state, { task: id, edit }) {
      const task = state.tasks[id]
      if (task) editTask(state, task, edit)
    },

    'task.started'(state, { task: id, attempt: n, agent, racer, at }) {
      const task = state.tasks[id]
      if (!task) return
      task.attempts = n
      task.attemptsLeft--
      task.startedAt ??= at
      beginWork(state, task, at)
      task.next = null
      const attempt = newAttempt(n, agent, at, racer)
      if (joinsRace(task, racer)) {
        task.racers = [...(task.racers ?? []), attempt]
        return
      }
      task.attempt = attempt
      setStatus(state, task, 'doing')
    },

    'task.reopened'(state, { tasks, why }) {
      for (const id of tasks) {
        const task = state.tasks[id]
        if (!task) continue
        task.attemptsLeft = Math.max(task.attemptsLeft, attemptsGranted(state, task, why))
        setFields(task, { reason: null, next: null, attempt: null, endedAt: null, conflicts: 0 })
        delete task.held
        delete task.question
        if (why !== 'goal-iteration' && why !== 'cooldown') task.triedBefore = task.attempts
        drop(state, id)
        setStatus(state, task, 'todo')
      }
    },

    'task.finished': finishTask,

    'race.decided'(state, { task: id, winner, losers }) {
      const task = state.tasks[id]
      const attempt = attemptOf(task, winner)
      if (!task || !attempt) return
      task.attempt = attempt
      task.race = { winner, fixes: attempt.round, losers }
      delete task.racers
    },

    'proof.given'(state, { task, attempt: n, proved, why }) {
      const attempt = attemptOf(state.tasks[task], n)
      if (!attempt) return
      const unproven = why === undefined ? {} : { unproven: why }
      setFields(attempt, { proof: proved ? 'proved' : 'no proof', ...unproven })
    },

    'attempt.fixing'(state, { task: id, attempt: n, fix, failure, base, tree }) {
      const task = state.tasks[id]
      const attempt = attemptOf(task, n)
      if (!task || !attempt) return
      task.fixCycles++
      const isSame = failure.fingerprint !== null && attempt.failure?.fingerprint === failure.fingerprint
      if (isSame) attempt.repeats = (attempt.repeats ?? 1) + 1
      else delete attempt.repeats
      setFields(attempt, { round: fix, failure, checks: [], verdict: null, base, tree })
      if (failure.kind === 'conflict') attempt.conflicted = true
      delete attempt.proof
      delete attempt.unproven
    },

    'attempt.failed'(state, event) {
      const { task: id, failure, next } = event
      const task = state.tasks[id]
      if (!task) return
      recordAttempt(state, task, event)
      if (failure.kind === 'conflict') task.conflicts++
      // The task has not failed while another attempt of the race is left.
      if (next === 'none') {
        leaveRace(task, event.attempt)
        return
      }
      task.verdict = task.attempt?.verdict ?? task.verdict
      task.attempt = null
      task.next = next
      drop(state, id)
      if (next === 'retry') {
        task.attemptsLeft = Math.max(task.attemptsLeft, 1)
        setStatus(state, task, 'todo')
      }
    },

    'check.finished'(state, event) {
      if (event.task !== null) attemptOf(state.tasks[event.task], event.attempt)?.checks.push(recordOf(event))
    },

    'verdict.given'(state, { subject, verdict }) {
      const attempt = subject.kind === 'task' ? attemptOf(state.tasks[subject.task], subject.attempt) : undefined
      if (attempt) attempt.verdict = verdict
    },
  },
} satisfies Slice<TasksSlice>

const newAttempt = (n: number, agent: string, at: string, racer: number | undefined): AttemptState => ({
  n,
  agent,
  startedAt: at,
  round: 0,
  base: null,
  tree: null,
  failure: null,
  checks: [],
  verdict: null,
  ...(racer ? { racer } : {}),
})

/** Failures from before a person resumed the run do not count as repeated. */
function tryAfresh({ tasks }: RunState): void {
  for (const task of Object.values(tasks))
    if (task.failures.length > 0 && task.status !== 'done') task.triedBefore = task.attempts - (task.attempt ? 1 : 0)
}

/** A person has repaired what made checks red, so these run again; the work of the agents stays. */
function forgetRed(state: RunState): void {
  const isGreen = ({ usable, passed }: CheckRecord): boolean => passed || !usable
  for (const task of state.active.flatMap((id) => state.tasks[id] ?? []))
    for (const attempt of [...(task.attempt ? [task.attempt] : []), ...(task.racers ?? [])])
      attempt.checks = attempt.checks.filter(isGreen)
  state.gate.checks = state.gate.checks.filter(isGreen)
  for (const known of Object.values(state.ledger))
    for (const [work, { outcome }] of Object.entries(known))
      if (outcome.kind === 'check' && outcome.exitCode !== 0) delete known[work]
}

/** The run ended during an attempt. If the run is resumed, the task starts a new attempt. */
function layDown(state: RunState, id: string, at: string): void {
  const task = state.tasks[id]
  if (!task) return
  setFields(task, { attempt: null, next: null, attemptsLeft: Math.max(task.attemptsLeft, 1) })
  delete task.racers
  endWork(state, task, at)
  setStatus(state, task, 'todo')
}

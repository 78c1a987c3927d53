/** The loop stage of a pipeline: its passes, and what is kept of them for later passes. */
import type { Event } from '../../model/event.ts'
import { mostInFull, mostOutputs } from '../../model/loop.ts'
import type { LoopState, ProgressEntry, RunState } from '../../model/state.ts'
import type { LoopSlice } from '../../model/state/loop.ts'
import { passIn } from '../../model/work-id.ts'
import { setFields } from '../../model/set-fields.ts'
import { drop } from '../tasks/owners.ts'
import type { Slice } from './slice.ts'

const lineChars = 200
const mostPatterns = 60

/** What starts again in each stage. */
const initialCounters = () => ({
  iterations: 0,
  tries: 0,
  succeeded: 0,
  failures: 0,
  blocked: 0,
  agreed: 0,
  stop: false,
  base: null,
  tree: null,
  checks: [],
})

export const initialLoop = (): LoopState => ({
  stage: 0,
  wave: 0,
  ...initialCounters(),
  failure: null,
  endedAt: null,
  landed: 0,
  verified: 0,
  entries: [],
  patterns: [],
  outputs: {},
})

export const loopSlice = {
  initial: () => ({ loop: null }),

  on: {
    'stage.entered'(state, { stage }) {
      if (stage === 'loop') state.loop ??= initialLoop()
    },

    /** A person who resumes a run wants failed passes to be tried again. */
    'run.resumed'({ status, loop }) {
      if (status !== 'running' && loop) setFields(loop, { failures: 0, blocked: 0 })
    },

    'iteration.finished'(state, event) {
      if (!state.loop) return
      for (const owner of Object.keys(state.ledger)) if (passIn(owner) !== null) drop(state, owner)
      endPass(state.loop, event, state.config.checks.length > 0 && state.pipeline?.stages[event.stage]?.checks === true)
    },

    'loop.finished': endLoop,

    'task.finished'(state, event) {
      if (state.tasks[event.task]) endTask(state, event)
    },
  },
} satisfies Slice<LoopSlice>

function endPass(loop: LoopState, event: Event<'iteration.finished'>, isChecked: boolean): void {
  const { name, iteration, status, summary, notes, changed, at, failure, plateau, stop, base, tree } = event
  const counts = status !== 'failed'
  setFields(loop, {
    iterations: loop.iterations + (counts ? 1 : 0),
    succeeded: loop.succeeded + (status === 'done' ? 1 : 0),
    tries: counts ? 0 : loop.tries + 1,
    failures: counts ? 0 : loop.failures + 1,
    blocked: status === 'blocked' ? loop.blocked + 1 : 0,
    agreed: counts ? (plateau && failure === null ? loop.agreed + 1 : 0) : loop.agreed,
    stop,
    failure: counts ? failure : loop.failure,
    base,
    tree,
    checks: [],
    endedAt: at,
  })
  const isLanded = changed > 0 && failure === null && counts
  loop.landed += isLanded ? 1 : 0
  loop.verified += isLanded && isChecked ? 1 : 0
  keep(loop, { name, iteration, status, summary, notes, changed, at }, event.patterns)
  if (event.output !== null) give(loop, name, String(iteration), event.output)
}

function give(loop: LoopState, stage: string, from: string, text: string): void {
  loop.outputs[stage] = [...(loop.outputs[stage] ?? []), { from, text }].slice(-mostOutputs)
}

function keep(loop: LoopState, entry: ProgressEntry, patterns: readonly string[]): void {
  loop.entries.push(entry)
  const old = loop.entries[loop.entries.length - 1 - mostInFull]
  if (old) setFields(old, condensed(old))
  loop.patterns = [...new Set([...loop.patterns, ...patterns.map((pattern) => pattern.trim()).filter(Boolean)])].slice(
    -mostPatterns,
  )
}

const condensed = ({ summary }: ProgressEntry): Pick<ProgressEntry, 'summary' | 'notes'> => ({
  summary: summary.replace(/\s+/g, ' ').slice(0, lineChars),
  notes: null,
})

/** In a stage that works through tasks, each task counts as a pass. */
function endTask(state: RunState, event: Event<'task.finished'>): void {
  const { loop, pipeline, wave } = state
  const name = pipeline?.stages[loop?.stage ?? 0]?.name
  if (!loop || name === undefined || event.by === 'source') return
  const { task, status, summary, reason, notes = null, patterns = [], at } = event
  loop.endedAt = at
  dropDelays(state, wave)
  if (summary !== null) give(loop, name, task, summary)
  keep(
    loop,
    {
      name,
      iteration: wave,
      status: status === 'done' ? 'done' : status === 'failed' ? 'failed' : 'blocked',
      summary: `${task}: ${summary ?? reason ?? status}`,
      notes,
      changed: 0,
      at,
    },
    patterns,
  )
}

/** Drops the delays before tasks that have started. A delay whose task has not started yet is still needed. */
function dropDelays({ ledger, starts, loop }: RunState, until: number): void {
  const stage = (loop?.stage ?? 0) + 1
  for (const owner of Object.keys(ledger)) {
    const pass = passIn(owner)
    if (pass?.stage !== stage || pass.pass > until) continue
    for (const id of Object.keys(ledger[owner] ?? {})) delete starts[id]
    delete ledger[owner]
  }
}

/** Enters the next stage: outputs and patterns stay, counters start again. */
function endLoop(state: RunState, { stage }: Event<'loop.finished'>): void {
  const { loop, wave } = state
  dropDelays(state, Infinity)
  if (loop) setFields(loop, { stage: stage + 1, wave, ...initialCounters() })
}

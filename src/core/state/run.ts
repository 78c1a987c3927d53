/** The run: its goal and configuration, its status and stage, and its clock. */
import type { RunConfig } from '../../model/config.ts'
import type { PauseReason } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { RunSlice } from '../../model/state/run.ts'
import { rollbackName } from '../../model/rollback-name.ts'
import { resumeNow } from '../../model/resume-hint.ts'
import { setFields } from '../../model/set-fields.ts'
import { skipTime, stopClock } from '../work/run-clock.ts'
import { workStage } from './resuming.ts'
import type { Slice } from './slice.ts'

export const runSlice = {
  initial: () => ({
    seq: 0,
    lastAt: '',
    run: '',
    goal: '',
    workflow: '',
    stages: [],
    config: {} as RunConfig,
    base: { commit: '', branch: null },
    branch: '',
    session: null,
    pipeline: null,
    prompt: null,
    status: 'new',
    reason: null,
    pause: null,
    stage: null,
    conclusion: null,
    request: null,
    reopening: false,
    applied: null,
    discardedAt: null,
    startedAt: '',
    endedAt: null,
    elapsedMs: 0,
    activeSince: null,
  }),

  on: {
    'run.started'(state, event) {
      const { run, goal, workflow, stages, config, base, branch, at } = event
      const { session = null, pipeline = null, prompt = null } = event
      setFields(state, { run, goal, workflow, stages, config, base, branch, session, pipeline, prompt })
      setFields(state, { status: 'running', startedAt: at, activeSince: at })
    },

    'run.forked'(state, { from, config, at }) {
      setFields(state, { config, startedAt: at, elapsedMs: 0, activeSince: null })
      setFields(state, { endedAt: null, request: null, applied: null, discardedAt: null })
      pauseForResume(state, `forked from ${from.run} at event ${from.seq}`)
    },

    'run.paused'(state, { reason, at }) {
      stopClock(state, at)
      pauseFor(state, reason)
      state.request = null
    },

    'run.resumed'(state, { limits, settings, at }) {
      const crashed = state.status === 'running'
      stopClock(state, state.lastAt)
      changeLimits(state, limits)
      if (settings) {
        const { hooks, files, checks, baseline, ...workspace } = settings
        state.config = { ...state.config, hooks, files, workspace: { ...state.config.workspace, ...workspace } }
        if (checks) state.config.checks = checks
        if (baseline) state.config.baseline = baseline
      }
      if (state.stage === 'report' && state.conclusion?.status === 'completed') {
        state.stage = state.stages.includes('gate') ? 'gate' : workStage(state)
        state.conclusion = null
      }
      setFields(state, { status: 'running', reason: null, pause: null, request: null, endedAt: null })
      setFields(state, { activeSince: at, applied: null, discardedAt: null })
      // When a person resumes a paused or ended run, tasks get more chances. After a crash, the run continues without a
      // change.
      if (crashed) return
      setFields(state, { reopening: true, conclusion: null })
      if (state.stage === 'report') state.stage = state.plan.accepted || state.loop ? workStage(state) : null
    },

    'run.ended'(state, { status, reason, at }) {
      stopClock(state, at)
      setFields(state, { status, reason, pause: null, endedAt: at, request: null })
    },

    'run.applied'(state, { commit, onto, at, tip, red }) {
      // The time since a crash is not running time.
      stopClock(state, state.lastAt)
      state.applied = { commit, onto, at, ...(red ? { red } : {}) }
      if (tip !== undefined) state.taken = { tip, commit }
    },

    'run.discarded'(state, { at }) {
      stopClock(state, state.lastAt)
      state.discardedAt = at
    },

    'stage.entered'(state, { stage, conclusion }) {
      state.stage = stage
      state.conclusion = conclusion
    },

    'stop.requested'(state, { how, why }) {
      const strength = { pause: 0, stop: 1, abort: 2 }
      if (state.request !== null && strength[how] <= strength[state.request]) return
      state.request = how
      if (why === undefined) delete state.requestWhy
      else state.requestWhy = why
    },

    'clock.jumped'(state, { ms, at }) {
      skipTime(state, ms, at)
    },

    'limits.changed'(state, { limits }) {
      changeLimits(state, limits)
    },

    'task.reopened'(state, { why }) {
      if (why === 'resumed') state.reopening = false
    },

    'rolled.back'(state, event) {
      stopClock(state, state.lastAt)
      if (state.status === 'running') {
        state.activeSince = event.at
        return
      }
      setFields(state, { endedAt: null, conclusion: null })
      pauseForResume(state, `rolled back to ${rollbackName(event, state)}`)
    },
  },
} satisfies Slice<RunSlice>

/** Copies the configuration: the object belongs to the event that brought it, and events must not change. */
function changeLimits(state: RunState, limits: Partial<RunConfig['limits']>): void {
  state.config = { ...state.config, limits: { ...state.config.limits, ...limits } }
}

const pauseFor = (state: RunState, pause: PauseReason): void =>
  setFields(state, { status: 'paused', reason: pause.detail, pause })

const pauseForResume = (state: RunState, detail: string): void =>
  pauseFor(state, { kind: 'user', detail, ...resumeNow })

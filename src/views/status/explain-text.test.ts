import { describe, expect, test } from 'vitest'
import { resting, stalled, stop, text } from '../../../test/kit/explained-runs.ts'
import { sampleState, sampleTask } from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import type { Fact } from '../../model/event.ts'
import { explain } from './explain.ts'

describe('looper doctor <run>', () => {
  test('each conclusion is shown once, at most twelve in all', () => {
    const begin = (n: number): Fact => ({ type: 'task.started', task: `T${n}`, attempt: 1, agent: 'claude', wave: 1 })
    const facts = [
      { type: 'stage.entered', stage: 'gate' } as Fact,
      { type: 'wave.closed', wave: 3, tasks: [], health: 'PROGRESSING', next: null } as Fact,
      { type: 'recovery.begun', from: 'STALLED', n: 1, evidence: '', tasks: ['T1'] } as Fact,
      begin(1),
      begin(1),
      ...Array.from({ length: 20 }, (_, n) => begin(n + 2)),
    ]
    const { next } = explain(stalled, resting, { facts, work: [] })
    expect(next).toHaveLength(12)
    expect(next.slice(0, 4)).toEqual(
      ['check the whole result', 'close wave 3', 'try another approach to T1', 'begin attempt 1 at T1 with claude'].map(
        (what) => `After \`looper resume\` it would ${what}.`,
      ),
    )
  })

  test('text of agents and people is filtered before it reaches the terminal', () => {
    const evil = '\u001B[2J\u0007x'
    const hostile = sampleState({
      ...stop,
      status: 'failed',
      reason: evil,
      tasks: [sampleTask({ id: 'T001', title: evil, status: 'failed', reason: evil })],
      convergence: { ...initialConvergence(), health: 'STALLED', evidence: `${evil}y` },
      flaky: { [evil]: { check: evil, runs: 2, passed: 1, task: null } },
    })
    // eslint-disable-next-line no-control-regex
    expect(text(hostile)).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/)
  })
})

/** Runs in every final state, played by the real core. */
import { baseConfig, checkExit, limits, planOf, play, type Played } from './play.ts'

export const completedRun = (): Played => play(baseConfig(), () => undefined)

export const failedRun = (): Played =>
  play(baseConfig(limits({ attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 })), (work) =>
    work.kind === 'check' ? checkExit(1) : undefined,
  )

export const unverifiedRun = (): Played => play(baseConfig({ checks: [], review: false }), () => undefined)

export const limitedRun = (): Played => play(baseConfig(limits({ turns: 1 })), () => undefined)

export const stoppedRun = (): Played =>
  limitedRun()
    .record({ type: 'run.resumed', limits: { turns: null } })
    .record({ type: 'run.paused', reason: { kind: 'user', detail: 'stopped by you', hint: '`looper resume` goes on' } })

export const abortedRun = (): Played =>
  limitedRun().record({ type: 'run.ended', status: 'aborted', reason: 'aborted by you' })

/** A process died in the middle of it. */
export const brokenOffRun = (): Played => limitedRun().record({ type: 'run.resumed', limits: { turns: null } })

const esc = '\u001B'
export const hostileText = `nice${esc}[2J${esc}]0;owned\u0007\r\nFAKE ✓ done\u202E\u009B31m`

export const hostileRun = (): Played =>
  play(baseConfig(), (work) =>
    work.kind === 'turn' && work.purpose === 'plan'
      ? planOf([{ id: 'T001', title: hostileText, criteria: [hostileText] }], {
          questions: [{ text: hostileText, options: [hostileText], default: hostileText, blocks: [] }],
          decisions: [
            {
              title: hostileText,
              context: '',
              choice: hostileText,
              alternatives: [],
              dependsOn: [],
              invalidatedIf: null,
            },
          ],
        })
      : undefined,
  )

/** A sweep: one small run after the other, killed at one moment after the other, until all of them were tried. */
import { createRandom, type Random } from '../../src/simulation/random.ts'
import type { Kill } from '../kit/faults.ts'
import { momentText, type Moment } from './moment.ts'
import { survive, type Trial } from './small-run.ts'

/** The run without a kill: how many steps it takes, how many of them can be cut in half, and how long. */
export interface Measure {
  steps: number
  divisible: number
  ms: number
}

export async function measure(): Promise<Measure> {
  const { steps, problems, ms } = await survive({ moments: [], agentMs: 0 })
  if (problems.length > 0) throw new Error(`the run fails without any kill:\n${problems.join('\n')}`)
  return { steps: steps.length, divisible: steps.filter((step) => step.startsWith('write ')).length, ms }
}

/** Right after, in the middle of, and right before every step. */
export function everyStep({ steps, divisible }: Measure): Trial[] {
  const each = (when: Kill['when'], count: number): Trial[] =>
    Array.from({ length: count }, (_, place) => ({ moments: [{ at: place + 1, when }], agentMs: 0 }))
  return [...each('after', steps), ...each('during', divisible), ...each('before', steps)]
}

/** At any moment; some of those who go on with the run are killed too, and some agents outlive them. */
function anyMoment({ steps, ms }: Measure, random: Random): Trial {
  const one = (): Moment => random.chance(0.6)
    ? { ms: random.int(0, Math.round(ms)) }
    : { at: random.int(1, steps), when: random.pick(['after', 'before']) }
  return { moments: random.chance(0.7) ? [one()] : [one(), one()], agentMs: random.pick([0, 0, 250]) }
}

/** As many as it takes for so many kills. */
export function randomMoments(kills: number, seed: number, given: Measure): Trial[] {
  const trials: Trial[] = []
  for (let left = kills; left > 0; left -= trials.at(-1)?.moments.length ?? 1) {
    trials.push(anyMoment(given, createRandom(seed).fork(String(trials.length))))
  }
  return trials
}

export interface Found {
  /** As `npm run test:crash` takes it. */
  trial: string
  struck: (string | null)[]
  problems: string[]
}

/** Tries them all, so many at a time, and stops when one went wrong. */
export async function sweep(trials: readonly Trial[], jobs: number, onTried: (found: Found) => void = () => {}): Promise<Found[]> {
  const left = [...trials]
  const found: Found[] = []
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && found.every(({ problems }) => problems.length === 0); next = left.shift()) {
      const trial = trialText(next)
      const { struck, problems } = await survive(next).catch((error: unknown) => ({ struck: [], problems: [String(error)] }))
      found.push({ trial, struck, problems })
      onTried({ trial, struck, problems })
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return found
}

const trialText = ({ moments, agentMs }: Trial): string =>
  `--at ${moments.map(momentText).join(',')}${agentMs === 0 ? '' : ` --agent-ms ${agentMs}`}`

export const killsIn = (found: readonly Found[]): number => found.flatMap(({ struck }) => struck).filter((step) => step !== null).length

/** A sweep: one small run after the other, killed at one moment after the other, until all of them were tried. */
import { createRandom, type Random } from '../../src/simulation/random.ts'
import type { Kill } from '../kit/faults.ts'
import { momentText, type Moment } from './moment.ts'
import { survive, type Plan, type Trial } from './small-run.ts'

/** The run without a kill: how many steps it takes, how many of which kind, and how long. */
export interface Measure {
  plan: Plan
  steps: number
  /** Those that can be cut in half. */
  divisible: number
  /** Those that make something last, and how many of them come before anything is merged. */
  lasting: number
  lastingBeforeMerges: number
  /** How often checks ran: once more than there are tasks, when one lands on what another has landed meanwhile. */
  checks: number
  ms: number
}

export async function measure(plan: Plan): Promise<Measure> {
  const { steps, problems, ms } = await survive({ moments: [], agentMs: 0, plan })
  if (problems.length > 0) throw new Error(`the run fails without any kill:\n${problems.join('\n')}`)
  const count = (kind: string, among = steps): number => among.filter(({ kinds }) => kinds.includes(kind)).length
  const firstCheck = steps.findIndex(({ text }) => text.includes('/checks/'))
  const lastingBeforeMerges = count('lasting', steps.slice(0, firstCheck))
  const checks = steps.filter(({ text }) => /^open .*\/checks\//.test(text)).length
  return {
    plan,
    steps: steps.length,
    divisible: count('divisible'),
    lasting: count('lasting'),
    lastingBeforeMerges,
    checks,
    ms,
  }
}

const at = (plan: Plan, when: Kill['when'], count: number, of?: 'lasting'): Trial[] =>
  Array.from({ length: count }, (_, index) => ({
    moments: [{ at: index + 1, when, ...(of === undefined ? {} : { of }) }],
    agentMs: 0,
    plan,
  }))

/** Right after whatever makes something last. */
export const everyLasting = ({ plan, lasting }: Measure): Trial[] => at(plan, 'after', lasting, 'lasting')

/** Right after, in the middle of, and right before every step. */
export const everyStep = ({ plan, steps, divisible }: Measure): Trial[] => [
  ...at(plan, 'after', steps),
  ...at(plan, 'during', divisible),
  ...at(plan, 'before', steps),
]

/** From the first check on, around whatever makes something last: git's part of a merge lies in between. */
export const everyMerge = ({ plan, lasting, lastingBeforeMerges }: Measure): Trial[] =>
  (['after', 'before'] as const).flatMap((when) => at(plan, when, lasting, 'lasting').slice(lastingBeforeMerges))

/** At any moment; some of those who go on with the run are killed too, and some agents outlive them. */
function anyMoment({ plan, steps, ms }: Measure, random: Random): Trial {
  const one = (): Moment =>
    random.chance(0.6)
      ? { ms: random.int(0, Math.round(ms)) }
      : { at: random.int(1, steps), when: random.pick(['after', 'before']) }
  return { moments: random.chance(0.7) ? [one()] : [one(), one()], agentMs: random.pick([0, 0, 250]), plan }
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
export async function sweep(
  trials: readonly Trial[],
  jobs: number,
  onTried: (found: Found) => void = () => {},
): Promise<Found[]> {
  const left = [...trials]
  const found: Found[] = []
  const work = async (): Promise<void> => {
    for (
      let next = left.shift();
      next !== undefined && found.every(({ problems }) => problems.length === 0);
      next = left.shift()
    ) {
      const trial = trialText(next)
      const { struck, problems } = await survive(next).catch((error: unknown) => ({
        struck: [],
        problems: [String(error)],
      }))
      found.push({ trial, struck, problems })
      onTried({ trial, struck, problems })
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return found
}

const trialText = ({ moments, agentMs, plan }: Trial): string =>
  `--at ${moments.map(momentText).join(',')}${agentMs === 0 ? '' : ` --agent-ms ${agentMs}`}${plan === 'chain' ? '' : ` --plan ${plan}`}`

export const killsIn = (found: readonly Found[]): number =>
  found.flatMap(({ struck }) => struck).filter((step) => step !== null).length

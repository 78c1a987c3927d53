/**
 * `npm run test:crash -- --kills 500`: every step of a small run and of the merges of another, then random moments, up
 * to so many kills; exit 1 when one is not survived.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import build from '../kit/build.ts'
import { parseMoment } from './moment.ts'
import type { Trial } from './small-run.ts'
import { everyMerge, everyStep, killsIn, measure, randomMoments, sweep, type Found } from './sweep.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    /** Of the random moments. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /**
     * These moments only: 37:after, 12:during, 9:after:lasting, 240ms; several, with commas between, kill one engine
     * after the other.
     */
    at: { type: 'string' },
    /** Two tasks one after the other (chain) or side by side (pair), for --at. */
    plan: { type: 'string', default: 'chain' },
    'agent-ms': { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})

/** What is no number must not become a sweep of nothing, which would look like success. */
function whole(name: 'kills' | 'seed' | 'agent-ms' | 'jobs', least: number): number {
  const text = values[name]
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  process.stderr.write(`--${name} must be a whole number of at least ${least}, not ${JSON.stringify(text)}.\n`)
  process.exit(2)
}

const given = {
  kills: whole('kills', 1),
  seed: whole('seed', 0),
  agentMs: whole('agent-ms', 0),
  jobs: whole('jobs', 1),
}

const print = (text: string): void => void process.stdout.write(text)
const terminal = process.stdout.isTTY

function explain(found: readonly Found[]): void {
  for (const { trial, struck, problems } of found.filter((one) => one.problems.length > 0)) {
    print(
      `\nkilled after: ${struck.map((step) => step ?? 'its end').join(', then ')}\n${problems.map((problem) => `  ${problem}\n`).join('')}`,
    )
    print(`to see it again: npm run test:crash -- ${trial}\n`)
  }
}

const plan = values.plan === 'pair' ? 'pair' : 'chain'

async function trialsFor(kills: number): Promise<Trial[]> {
  if (values.at !== undefined) return [{ moments: values.at.split(',').map(parseMoment), agentMs: given.agentMs, plan }]
  const [chain, pair] = [await measure('chain'), await measure('pair')]
  const every = [...everyStep(chain), ...everyMerge(pair)].slice(0, kills)
  const left = kills - every.length
  const random = [
    ...randomMoments(Math.ceil(left / 2), given.seed, chain),
    ...randomMoments(Math.floor(left / 2), given.seed, pair),
  ]
  print(
    `${chain.steps} steps, ${chain.divisible} of them in halves: ${every.length} kills there, the rest at random moments (--seed ${given.seed})\n`,
  )
  return [...every, ...random]
}

async function main(): Promise<void> {
  build()
  const begun = performance.now()
  const trials = await trialsFor(given.kills)
  let tried = 0
  const found = await sweep(trials, given.jobs, ({ trial }) => {
    tried += 1
    if (terminal) print(`\r${tried} of ${trials.length} · ${trial}\u001B[K`)
  })
  if (terminal) print('\r\u001B[K')
  explain(found)
  const bad = found.filter(({ problems }) => problems.length > 0).length
  print(
    `${killsIn(found)} kills in ${found.length} runs, ${bad} not survived, ${Math.round((performance.now() - begun) / 1_000)} s\n`,
  )
  process.exitCode = bad === 0 ? 0 : 1
}

await main()

/** `npm run simulate -- --seed N --runs N`: simulates worlds one after the other; shrinks and prints a violation. */
import { parseArgs } from 'node:util'
import { historyText } from './history-text.ts'
import { shrink } from './shrink.ts'
import { simulate, type Simulated } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1000' },
    /** Prints the history even when no law is violated. */
    show: { type: 'boolean', default: false },
    /** Continues after a violation and only counts. */
    all: { type: 'boolean', default: false },
  },
})

/** Rejects a text that is not a number. It would otherwise mean zero runs, which would pass as success. */
function whole(name: 'seed' | 'runs', least: number): number {
  const text = values[name]
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  process.stderr.write(`--${name} must be a whole number of at least ${least}, not ${JSON.stringify(text)}.\n`)
  process.exit(2)
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function explain(simulated: Simulated): Promise<void> {
  const small = await shrink(simulated)
  const broken = simulated.violations.map(({ law, detail }) => `${law} (${detail})`)
  print(`\nSeed ${simulated.seed} breaks: ${broken.join('; ')}`)
  print(`\nThe smallest world like it:\n${historyText(small)}`)
  print(`\nTo see it again: npm run simulate -- --seed ${simulated.seed} --runs 1`)
}

async function main(first: number, runs: number): Promise<void> {
  const begun = performance.now()
  const broken = new Map<string, number[]>()
  let events = 0
  for (let seed = first; seed < first + runs; seed++) {
    const simulated = await simulate(seed)
    events += simulated.history.length
    if (values.show) print(historyText(simulated))
    for (const law of new Set(simulated.violations.map((violation) => violation.law)))
      broken.set(law, [...(broken.get(law) ?? []), seed])
    if (simulated.violations.length > 0 && !values.all) {
      await explain(simulated)
      break
    }
    if ((seed - first + 1) % 500 === 0) print(`${seed - first + 1} of ${runs} worlds`)
  }
  const seconds = (performance.now() - begun) / 1_000
  for (const [law, seeds] of broken) print(`${law}: ${seeds.length} seeds, such as ${seeds.slice(0, 5).join(', ')}`)
  if (broken.size === 0)
    print(`${runs} worlds, ${events} events, no law broken; ${(runs / seconds).toFixed(0)} worlds/s`)
  else process.exitCode = 1
}

await main(whole('seed', 0), whole('runs', 1))

/** `npm run simulate -- --seed N --runs N`: runs worlds one after the other; a violation is shrunk and shown. */
import { parseArgs } from 'node:util'
import { historyText } from './history-text.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '1000' }, show: { type: 'boolean', default: false } } })
const [first, runs] = [Number(values.seed), Number(values.runs)]

let events = 0
const begun = performance.now()
const count = new Map<string, number>()
const ends = new Map<string, number>()
for (let seed = first; seed < first + runs; seed++) {
  const simulated = await simulate(seed)
  events += simulated.history.length
  ends.set(simulated.state.status, (ends.get(simulated.state.status) ?? 0) + 1)
  if (values.show) console.log(historyText(simulated))
  for (const law of new Set(simulated.violations.map((v) => v.law))) {
    count.set(law, (count.get(law) ?? 0) + 1)
    if ((count.get(law) ?? 0) <= 4) console.log(seed, JSON.stringify(simulated.violations.find((v) => v.law === law)).slice(0, 500))
  }
}
const s = (performance.now() - begun) / 1000
console.log(`${runs} seeds, ${events} events, ${(runs / s).toFixed(1)} seeds/s`, Object.fromEntries(count), Object.fromEntries(ends))

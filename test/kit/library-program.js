/**
 * A program that uses the built library: one App, two repositories, a run in the first one with two readers. It prints
 * what it saw as JSON.
 */
import { createApp, evolve, initialState, localMachine, LooperError, statusView } from '../../dist/index.js'

const [one, other] = process.argv.slice(2)
const app = createApp(localMachine())

async function read(events) {
  const seen = []
  for await (const { event, state } of events)
    seen.push({ type: event.type, seq: event.seq, known: state.seq >= event.seq })
  return seen
}

const readers = []
const prepared = await app.at(one).prepareRun({ goal: 'make files', flags: {}, apply: true })
const { state, applied } = await prepared.start({
  onTorn() {},
  onTrouble() {},
  onStart(run) {
    readers.push(read(run.follow()), read(app.at(one).follow('1')))
  },
})
const [first, second] = await Promise.all(readers)

const folded = initialState()
for await (const { event } of app.at(one).follow(state.run)) evolve(folded, event)

const refusal = await app
  .at(other)
  .readRun(null)
  .catch((error) => error instanceof LooperError && error.code)
console.log(
  JSON.stringify({
    run: state.run,
    status: statusView(folded).status,
    applied: applied.ok,
    types: first.map(({ type }) => type),
    isEqual: JSON.stringify(first) === JSON.stringify(second),
    isWhole: first.every(({ seq, known }, index) => seq === index + 1 && known) && first.length === folded.seq,
    runs: [(await app.at(one).listRuns()).length, (await app.at(other).listRuns()).length],
    refusal,
  }),
)

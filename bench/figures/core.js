/** How fast the pure core thinks: a whole run of many tasks, decided and applied in memory. */
import { rounds, summary } from '../kit/measure.js'
import { ask } from '../kit/probe.js'

/** @type {import('../run.js').Measure} */
export async function core({ probe, quick, count }) {
  const tasks = quick ? 2_000 : 10_000
  const found = await rounds(count, { play: () => ask(probe('core'), String(tasks)) })
  const [{ play }] = found
  return [
    {
      figure: `\`decide\` and \`evolve\` at ${tasks} tasks`,
      target: { atLeast: 100_000 },
      unit: ' events/s',
      digits: 0,
      ...summary(found.map(({ play: { events, ms } }) => (events / ms) * 1000)),
      how: `a run with checks and review, ${play.events} events; a process of its own each time, so that nothing is warm`,
    },
  ]
}

/** What the sandbox adds to the start of a turn, a check or a set-up command. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { median, rounds, summary } from '../kit/measure.js'
import { ask } from '../kit/probe.js'

/** @type {import('../run.js').Measure} */
export async function sandbox({ folder, probe, quick, count }) {
  const times = quick ? 10 : 50
  const measure = async () => {
    const place = mkdtempSync(join(folder, 'sandbox-'))
    const pairs = await ask(probe('sandbox'), place, String(times))
    const added = median(pairs.map(({ plain, confined }) => confined - plain))
    return { added, plain: median(pairs.map(({ plain }) => plain)) }
  }
  const found = await rounds(count, { pairs: measure })
  const alone = median(found.map(({ pairs }) => pairs.plain)).toFixed(1)
  return [
    {
      figure: 'Sandbox: what it adds to the start of a process',
      target: { atMost: 15 },
      unit: ' ms',
      digits: 1,
      ...summary(found.map(({ pairs }) => pairs.added)),
      how: `${times} pairs of \`/bin/true\` a round, median of the differences; alone it takes ${alone} ms`,
    },
  ]
}

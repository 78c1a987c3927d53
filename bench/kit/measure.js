/**
 * How things are measured: whole commands by wall clock and CPU time, in rounds that take turns, by slope, as medians.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ wallMs: number, cpuMs: number }} Cost
 * @typedef {{ cwd: string, env: Record<string, string | undefined>, scratch: string }} Surroundings
 */

/** CPU time is that of the command and of everything it waited for. */
const script = `
TIMEFORMAT='%3R %3U %3S'
times=$1 errors=$2 expected=$3
shift 3
time for ((i = 0; i < times; i++)); do "$@" >/dev/null 2>>"$errors"; (($? == expected)) || exit 9; done`

/**
 * What a command costs, on average of `times` runs one after the other. Throws when it ends otherwise than with `code`.
 * @param {readonly string[]} argv
 * @param {Surroundings} surroundings
 * @returns {Cost}
 */
export function cost(argv, { cwd, env, scratch }, times = 1, code = 0) {
  const errors = join(scratch, 'errors')
  try {
    const words = ['cost', String(times), errors, String(code), ...argv]
    const output = execFileSync('bash', ['-c', `{ ${script}\n} 2>&1`, ...words], { cwd, env, encoding: 'utf8' })
    const [real = 0, user = 0, system = 0] = output
      .trim()
      .split(' ')
      .map((seconds) => (Number(seconds) * 1000) / times)
    return { wallMs: real, cpuMs: user + system }
  } catch (error) {
    throw new Error(`${argv.join(' ')} failed: ${readFileSync(errors, 'utf8').slice(-2000)}`, { cause: error })
  }
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Each contender once a round, in an order that turns around from round to round: what disturbs the machine disturbs
 * all of them.
 * @template T
 * @param {number} count
 * @param {Record<string, () => T | Promise<T>>} contenders
 * @returns {Promise<Record<string, T>[]>}
 */
export async function rounds(count, contenders) {
  const names = Object.keys(contenders)
  const results = []
  for (let round = 0; round < count; round++) {
    /** @type {Record<string, T>} */
    const result = {}
    for (const name of round % 2 === 0 ? names : names.toReversed()) result[name] = await contenders[name]()
    results.push(result)
  }
  return results
}

/**
 * The cost of one more: of a large number less that of a small one, so that starting up cancels.
 * @param {(n: number) => Cost} run
 * @param {{ small: number, large: number }} numbers
 * @returns {Cost}
 */
export function slope(run, { small, large }) {
  const [low, high] = [run(small), run(large)]
  return { wallMs: (high.wallMs - low.wallMs) / (large - small), cpuMs: (high.cpuMs - low.cpuMs) / (large - small) }
}

/**
 * The ratio of each round, as its median and its range.
 * @param {readonly number[]} ratios
 */
export const summary = (ratios) => ({ value: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) })

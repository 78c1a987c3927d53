/**
 * Reads a script that is JSON. Every turn starts a player, and loading and running the YAML library takes longer than
 * most turns.
 */
import { count, matchKeys, steps } from './script-keys.js'

/**
 * Null when the script is not JSON or not valid. The YAML parser then finds the line of the problem.
 *
 * @param {string} source
 * @returns {import('./script.js').Script | null}
 */
export function readJsonScript(source) {
  try {
    const root = JSON.parse(source)
    return hasOnly(root, ['turns']) && Array.isArray(root.turns) ? { turns: root.turns.map(readTurn) } : null
  } catch {
    return null
  }
}

function readTurn(turn) {
  const { match = {}, times, steps: list } = turn
  const isValid =
    hasOnly(turn, ['match', 'times', 'steps'])
    && (times === undefined || count(times) === null)
    && isEach(match, matchKeys)
  if (!isValid) throw new TypeError('not a turn')
  return { match, times: times ?? Infinity, steps: list.map(readStep) }
}

function readStep(step) {
  const [[kind, value], ...others] = Object.entries(step)
  if (others.length > 0 || !isEach(step, steps)) throw new TypeError('not a step')
  return { kind, value }
}

const isEach = (map, keys) =>
  hasOnly(map, Object.keys(keys)) && Object.entries(map).every(([key, value]) => keys[key](value) === null)

const hasOnly = (map, keys) =>
  typeof map === 'object' && map !== null && !Array.isArray(map) && Object.keys(map).every((key) => keys.includes(key))

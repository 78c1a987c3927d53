/**
 * Parses and validates a script of turns. Plain JavaScript, because the player runs as a separate program, with or
 * without a build.
 *
 * @typedef {{ role?: string, purpose?: string, task?: string, attempt?: number, nth?: number, prompt?: string }} Match
 * @typedef {{ kind: string, value: any }} Step
 * @typedef {{ match: Match, times: number, steps: Step[] }} Turn
 * @typedef {{ turns: Turn[] }} Script
 * @typedef {{ line: number, message: string }} Problem
 */
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { depthProblem } from '../../platform/yaml-depth.js'
import { count, matchKeys, steps } from './script-keys.js'

/**
 * @param {string} source
 * @returns {{ ok: true, script: Script } | { ok: false, problem: Problem }}
 */
export function parseScript(source) {
  const deep = depthProblem(source)
  if (deep !== null) return { ok: false, problem: deep }
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  const lineOf = (node) => (node?.range ? lines.linePos(node.range[0]).line : 1)
  const [error] = document.errors
  if (error) {
    const [message] = error.message.split('\n')
    return { ok: false, problem: { line: error.linePos?.[0].line ?? 1, message: message.replace(/ at line .*$/, '') } }
  }
  try {
    return { ok: true, script: readScript(document.contents, document) }
  } catch (flaw) {
    // The YAML library throws errors too, for example for aliases that expand exponentially.
    return { ok: false, problem: { line: lineOf(flaw instanceof Flaw ? flaw.node : null), message: flaw.message } }
  }
}

class Flaw extends Error {
  constructor(node, message) {
    super(message)
    this.node = node
  }
}

function readScript(root, document) {
  const turns = isMap(root) ? root.get('turns', true) : undefined
  if (!isSeq(turns)) throw new Flaw(root, 'a script is a map with a list of "turns"')
  onlyKeys(root, ['turns'])
  return { turns: turns.items.map((turn) => readTurn(turn, document)) }
}

function readTurn(node, document) {
  if (!isMap(node)) throw new Flaw(node, 'a turn is a map with "match" and "steps"')
  onlyKeys(node, ['match', 'times', 'steps'])
  const list = node.get('steps', true)
  if (!isSeq(list)) throw new Flaw(list ?? node, 'a turn needs a list of "steps"')
  const times = node.get('times', true)
  if (times !== undefined) refuse(times, 'times', count(times.toJS(document)))
  return {
    match: readMatch(node.get('match', true), document),
    times: times?.toJS(document) ?? Infinity,
    steps: list.items.map((step) => readStep(step, document)),
  }
}

function readMatch(node, document) {
  if (node === undefined || (isScalar(node) && node.value === null)) return {}
  if (!isMap(node)) throw new Flaw(node, 'match must be a map')
  onlyKeys(node, Object.keys(matchKeys))
  for (const { key, value } of node.items) refuse(value ?? key, key.value, matchKeys[key.value](value?.toJS(document)))
  return node.toJS(document)
}

function readStep(node, document) {
  if (!isMap(node) || node.items.length !== 1)
    throw new Flaw(node, `a step is a map with one key: ${Object.keys(steps).join(', ')}`)
  onlyKeys(node, Object.keys(steps))
  const [{ key, value: content }] = node.items
  const value = content?.toJS(document) ?? null
  refuse(content ?? key, key.value, steps[key.value](value))
  return { kind: key.value, value }
}

function refuse(node, name, problem) {
  if (problem !== null) throw new Flaw(node, `${name} ${problem}`)
}

function onlyKeys(map, known) {
  for (const { key } of map.items) {
    if (!known.includes(key.value)) throw new Flaw(key, `unknown key "${key.value}": expected ${known.join(', ')}`)
  }
}

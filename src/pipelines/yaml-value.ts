/**
 * Reads YAML into plain values with line numbers. It rejects features that definitions do not need, such as aliases and
 * tags.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { depthProblem } from '../platform/yaml-depth.js'

export interface Scalar {
  kind: 'scalar'
  value: string | number | boolean | null
  /** The text as written. */
  source: string
  line: number
  /** A `|` block: its lines are lines of the file, and start on the next line. */
  literal: boolean
}
export interface Entry {
  key: string
  line: number
  value: Value
}
export interface YamlMap {
  kind: 'map'
  entries: Entry[]
  line: number
}
export interface YamlList {
  kind: 'list'
  items: Value[]
  line: number
}
export type Value = Scalar | YamlMap | YamlList

export interface YamlProblem {
  line: number
  message: string
}

export function readYaml(text: string): Value | { problem: YamlProblem } {
  const deep = depthProblem(text)
  if (deep !== null) return { problem: deep }
  const lines = new LineCounter()
  // `readFields` finds duplicate keys: the check of the library takes quadratic time.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line)
  const [error] = [...document.errors, ...document.warnings]
  if (error !== undefined)
    return { problem: { line: lineAt(error.pos[0]), message: described(error.code, error.message) } }
  try {
    return convert(document.contents, lineAt, 1)
  } catch (flaw) {
    if (flaw instanceof Flaw) return { problem: { line: flaw.line, message: flaw.message } }
    throw flaw
  }
}

function described(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'more than one document'
  if (code === 'TAG_RESOLVE_FAILED') return 'tags are not read here'
  return message.charAt(0).toLowerCase() + message.slice(1)
}

class Flaw extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

function convert(node: unknown, lineAt: (offset: number) => number, parentLine: number): Value {
  const line = hasRange(node) ? lineAt(node.range[0]) : parentLine
  if (node === null || node === undefined) return { kind: 'scalar', value: null, source: '', line, literal: false }
  if (isAlias(node)) throw new Flaw(line, `aliases like *${node.source} are not read here; write it out`)
  if (isSeq(node)) return { kind: 'list', line, items: node.items.map((item) => convert(item, lineAt, line)) }
  if (isMap(node)) {
    return {
      kind: 'map',
      line,
      entries: node.items.map(({ key, value }) =>
        entry(convert(key, lineAt, line), (at) => convert(value, lineAt, at)),
      ),
    }
  }
  if (isScalar(node) && isPlain(node.value)) {
    return {
      kind: 'scalar',
      value: node.value,
      source: node.source ?? String(node.value),
      line,
      literal: node.type === 'BLOCK_LITERAL',
    }
  }
  throw new Flaw(line, 'a value that is neither text, number, list nor map')
}

function entry(key: Value, valueAt: (line: number) => Value): Entry {
  if (key.kind !== 'scalar') throw new Flaw(key.line, 'a key must be one word')
  return { key: key.source, line: key.line, value: valueAt(key.line) }
}

const hasRange = (node: unknown): node is { range: readonly number[] & { 0: number } } =>
  typeof node === 'object'
  && node !== null
  && 'range' in node
  && Array.isArray(node.range)
  && typeof node.range[0] === 'number'

const isPlain = (value: unknown): value is Scalar['value'] =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

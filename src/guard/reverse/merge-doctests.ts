/** Merges Python files whose docstrings hold doctests: the code of one side with the docstrings of the other. */
import { holdsExamples } from '../examples.ts'

interface Docstring {
  /** The names of the class and function that it belongs to; empty: the module. */
  owner: string
  from: number
  end: number
}

/** Docstrings with examples replace those of the same owner; an owner that is gone takes its examples along. */
export function mergeDoctests(judge: string, product: string): string {
  const wanted = docstringsIn(judge).filter(({ from, end }) => holdsExamples(judge.slice(from, end)))
  const own = new Map(docstringsIn(product).map((each) => [each.owner, each]))
  const edits = wanted.flatMap(({ owner, from, end }) => {
    const span = own.get(owner) ?? bodyOf(product, owner)
    return span === null ? [] : [{ ...span, text: judge.slice(from, end), isNew: !own.has(owner) }]
  })
  let merged = product
  for (const { from, end, text, isNew } of edits.toSorted((a, b) => b.from - a.from)) {
    const indent = product.slice(product.lastIndexOf('\n', from - 1) + 1, from)
    merged = merged.slice(0, from) + text + (isNew ? `\n${indent}` : '') + merged.slice(end)
  }
  return merged
}

const quoted = /^[rRuUbB]{0,2}("""|''')/
const head = /^([ \t]*)(?:async[ \t]+def|def|class)[ \t]+(\w+)/

function docstringsIn(text: string): Docstring[] {
  return [{ owner: '', at: startOfModule(text) }, ...bodies(text)].flatMap(({ owner, at }) => {
    const mark = quoted.exec(text.slice(at, at + 6))
    if (mark === null) return []
    const close = text.indexOf(mark[1] ?? '"""', at + mark[0].length)
    return close < 0 ? [] : [{ owner, from: at, end: close + 3 }]
  })
}

function bodyOf(text: string, owner: string): { from: number; end: number } | null {
  const at = owner === '' ? startOfModule(text) : bodies(text).find((body) => body.owner === owner)?.at
  return at === undefined ? null : { from: at, end: at }
}

const startOfModule = (text: string): number => /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(text)?.[0].length ?? 0

/** A head of more lines than this is not read. */
const mostLines = 40

/** Returns where the first statement of each class and function begins. */
function bodies(text: string): { owner: string; at: number }[] {
  const lines = text.split('\n')
  const open: { indent: number; name: string }[] = []
  const found: { owner: string; at: number }[] = []
  let start = 0
  for (const [index, line] of lines.entries()) {
    const [, space = '', name] = head.exec(line.slice(0, 300)) ?? []
    if (name !== undefined) {
      while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
      open.push({ indent: space.length, name })
      const length = headLength(lines.slice(index, index + mostLines))
      if (length !== null) found.push({ owner: open.map((each) => each.name).join('.'), at: start + length })
    }
    start += line.length + 1
  }
  return found
}

/** Returns the length of the lines up to the first statement, with its indentation; null for a body on one line. */
function headLength(lines: readonly string[]): number | null {
  let length = 0
  let isOver = false
  for (const line of lines) {
    const code = line.replace(/(?:^|\s)#.*$/, '').trim()
    if (isOver && code !== '') return length + line.length - line.trimStart().length
    if (code.endsWith(':')) isOver = true
    length += line.length + 1
  }
  return null
}

/** Detects how a Python function ends early: by a return, or by an error that is swallowed. */
import { isOnlyElsewhere, truthOf } from '../syntax/conditions.ts'
import type { PythonLine, PythonText } from './lex.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { plainOf, textOf } from '../syntax/tokens.ts'

/** Whether a `try` has handlers that catch assertion errors and ignore them. */
export function swallows({ tokens, lines }: PythonText, index: number): boolean {
  const start = lines[index]
  let position = start?.blockEnd ?? 0
  let caught = false
  while (position < lines.length && lines[position]?.indent === start?.indent) {
    const line = lines[position]
    if (line === undefined) break
    // A `return` in `finally` discards the error.
    if (textOf(tokens, line.from) === 'finally' && returnsIn(lines, tokens, position)) return true
    if (textOf(tokens, line.from) !== 'except') break
    const kinds = plainOf(tokens, line.from, line.end, 20)
    const wide = line.end - line.from <= 2 || /\b(?:Exception|BaseException|AssertionError)\b/.test(kinds)
    const handler = plainOf(tokens, line.end, lines[line.blockEnd - 1]?.end ?? line.end)
    if (wide && !/\b(?:raise|fail|assert\w*)\b/.test(`${handler} ${plainOf(tokens, line.from, line.end, 40)}`))
      caught = true
    position = line.blockEnd
  }
  return caught
}

function returnsIn(lines: readonly PythonLine[], tokens: Tokens, position: number): boolean {
  const block = lines.slice(position + 1, Math.min(lines[position]?.blockEnd ?? 0, position + 50))
  return block.some((line) => textOf(tokens, line.from) === 'return')
}

/** Returns when a `return` is reached: true for always, a condition directly in the function, or null when unknown. */
export function returnsWhen({ tokens, lines }: PythonText, line: PythonLine, index: number): true | string | null {
  for (let position = index - 1; position >= 0 && position > index - 50; position -= 1) {
    const before = lines[position]
    if (before === undefined || before.indent >= line.indent) continue
    const text = plainOf(tokens, before.from, before.end, 40)
    if (/^(?:async )?def /.test(text) || /\bos \. (?:environ|getenv)\b/.test(text)) return true
    const condition = /^if (.*) :$/.exec(text)?.[1]
    if (condition === undefined || isOnlyElsewhere(condition)) return null
    const truth = truthOf(condition)
    return truth === null ? condition : truth || null
  }
  return null
}

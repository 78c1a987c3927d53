/** Detects how a Python function ends early: by a return, or by an error that is swallowed. */
import { isOnlyElsewhere, truthOf } from './conditions.ts'
import type { PythonLine, PythonText } from './lex-python.ts'
import type { Tokens } from './tokens.ts'
import { plainOf, textOf } from './tokens.ts'

/** Whether a `try` has handlers that catch assertion errors and ignore them. */
export function swallows({ tokens, lines }: PythonText, index: number): boolean {
  const start = lines[index]
  let place = start?.blockEnd ?? 0
  let caught = false
  while (place < lines.length && lines[place]?.indent === start?.indent) {
    const line = lines[place]
    if (line === undefined) break
    // A `return` in `finally` discards the error.
    if (textOf(tokens, line.from) === 'finally' && returnsIn(lines, tokens, place)) return true
    if (textOf(tokens, line.from) !== 'except') break
    const kinds = plainOf(tokens, line.from, line.end, 20)
    const wide = line.end - line.from <= 2 || /\b(?:Exception|BaseException|AssertionError)\b/.test(kinds)
    const handler = plainOf(tokens, line.end, lines[line.blockEnd - 1]?.end ?? line.end)
    if (wide && !/\b(?:raise|fail|assert\w*)\b/.test(`${handler} ${plainOf(tokens, line.from, line.end, 40)}`))
      caught = true
    place = line.blockEnd
  }
  return caught
}

function returnsIn(lines: readonly PythonLine[], tokens: Tokens, place: number): boolean {
  const block = lines.slice(place + 1, Math.min(lines[place]?.blockEnd ?? 0, place + 50))
  return block.some((line) => textOf(tokens, line.from) === 'return')
}

/** Returns when a `return` is reached: true for always, a condition directly in the function, or null when unknown. */
export function returnsWhen({ tokens, lines }: PythonText, line: PythonLine, index: number): true | string | null {
  for (let place = index - 1; place >= 0 && place > index - 50; place -= 1) {
    const before = lines[place]
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

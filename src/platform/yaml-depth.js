/**
 * Checks the nesting depth of YAML before the library parses it. Plain JavaScript, because the script player also runs
 * without a build.
 */
import { Lexer, Parser } from 'yaml'

/** The library is recursive: deep nesting overflows the stack and crashes the process. */
const deepest = 40

/**
 * @param {string} text
 * @returns {{ line: number, message: string } | null}
 */
export function depthProblem(text) {
  let line = 1
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) continue
    if (parser.stack.length > deepest) return { line, message: 'nested too deeply' }
    line += lexeme.split('\n').length - 1
  }
  return null
}

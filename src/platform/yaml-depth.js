/**
 * Looks how deeply YAML is nested before anything else reads it. Plain JavaScript, because the player of scripts runs
 * without a build, too.
 */
import { Lexer, Parser } from 'yaml'

/** The library works by recursion: at some depth it takes the process down with it. */
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

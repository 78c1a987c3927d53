/** Reads the tests, assertions and helpers of a JavaScript or TypeScript file. */
import type { TestCase, TestFile } from '../test-case.ts'
import { reasons } from '../test-case.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { closeOf, isMark, isMember, isWord, lengthOf, textOf } from '../syntax/tokens.ts'
import { readCall } from './calls.ts'
import { readDeclaration } from './declarations.ts'
import { lexJavaScript } from './lex.ts'
import { enterLoopMethod, loopMethods } from './loops.ts'
import { endsAtOnce, isStartedHere } from './promises.ts'
import { readStatement, statementWords } from './statements.ts'
import { addAlias, beginWalk, knownAlias, type Walk } from './walk.ts'

export function readJavaScript(file: string, text: string): TestFile {
  const tokens = lexJavaScript(text, !/\.[cm]?ts$/.test(file))
  const first = walkThrough(beginWalk(file, tokens, new Set()))
  // A function that defines a test under a name from its parameters makes each of its calls a test, so walk again.
  return first.wrappers.size === 0 ? first : walkThrough(beginWalk(file, tokens, first.wrappers))
}

function walkThrough(walk: Walk): Walk['found'] {
  const { tokens, scopes, brackets, found } = walk
  for (let at = 0; at < lengthOf(tokens); at += 1) {
    scopes.leaveBefore(at)
    const kind = tokens.kinds[at]
    while (brackets.length > 0 && closeOf(tokens, brackets.at(-1) ?? 0) <= at) brackets.pop()
    if (kind === 'open') readBracket(walk, at)
    if (kind === 'word' && !isMember(tokens, at)) readWord(walk, at)
  }
  for (const test of found.tests) {
    test.skipped ??= walk.wholeFile ?? (returnsAtOnce(test) ? { how: reasons.returned, group: null } : null)
  }
  return found
}

function readBracket(walk: Walk, at: number): void {
  const { tokens, scopes, brackets } = walk
  brackets.push(at)
  const close = closeOf(tokens, at)
  if (isMark(tokens, at, '[') && isMark(tokens, close + 1, '.') && loopMethods.has(textOf(tokens, close + 2)))
    enterLoopMethod(walk, close + 3, { from: at, end: close + 1 })
  if (isStartedHere(tokens, at) && endsAtOnce(scopes.test()))
    scopes.enter({ kind: 'void', end: close, why: reasons.unawaited })
}

function readWord(walk: Walk, at: number): void {
  const { tokens } = walk
  const word = textOf(tokens, at)
  const renamed = word === 'as' ? knownAlias(walk, textOf(tokens, at - 1)) : null
  if (renamed !== null && isWord(tokens, at + 1)) addAlias(walk, textOf(tokens, at + 1), renamed)
  else if (word === 'const' || word === 'let' || word === 'var') readDeclaration(walk, at)
  else if (statementWords.has(word)) readStatement(walk, at, word)
  else if (goesOn(tokens, at + 1) && !isDefined(tokens, at)) readCall(walk, at)
}

const returnsAtOnce = ({ assertions }: TestCase): boolean =>
  assertions.length > 0
  && assertions.every(({ level }) => level === 0)
  && assertions.some(({ why }) => why === reasons.unreached)

/** Whether the token after a name can continue to a call. */
const goesOn = (tokens: Tokens, next: number): boolean => {
  const kind = tokens.kinds[next]
  return (
    kind === 'open'
    || kind === 'template'
    || (kind === 'mark' && '.?<!'.includes(tokens.text.charAt(tokens.from[next] ?? 0)))
  )
}

/** Whether the name is that of a function definition. */
const isDefined = (tokens: Tokens, at: number): boolean =>
  at > 0
  && (tokens.kinds[at - 1] === 'word' || isMark(tokens, at - 1, '*'))
  && /^(?:function|\*)$/.test(textOf(tokens, at - 1))

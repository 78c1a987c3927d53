/** Reads the calls on a Python line: assertions, skips, and calls of helpers. */
import { either, wordSet } from '../pattern.ts'
import { called, readChain, type Chain } from '../syntax/chain.ts'
import { isMember, isWord, plainOf, textOf } from '../syntax/tokens.ts'
import { mostAssertions, soundsLikeAssertion } from '../test-case.ts'
import type { PythonLine } from './lex.ts'
import { recordAssertion, recordSkip } from './record.ts'
import { judgeCall } from './strength.ts'
import { ownerScope, type Walk } from './walk.ts'

const keywords = wordSet(
  'assert if elif while not in is and or return with for lambda except raise yield await del from import',
)
/** The assertions of unittest; all others are defined by the project. */
const standard = either(
  /^fail$/,
  /^assert_$/,
  /^assert(?:Not)?(?:AlmostEqual|Equal|In|IsInstance|Regex)s?$/,
  /^assert(?:True|False|Is(?:Not)?(?:None)?)$/,
  /^assert(?:Raises|Warns)(?:Regex)?$/,
  /^assert(?:Greater|Less)(?:Equal)?$/,
  /^assert(?:No)?Logs$/,
  /^assert(?:Count|Dict|List|Set|Tuple|Sequence|MultiLine)Equal$/,
)

export function readExpressions(walk: Walk, line: PythonLine): void {
  const { tokens } = walk
  for (let index = line.from; index < line.end; index += 1) {
    if (!isWord(tokens, index) || isMember(tokens, index) || keywords.has(textOf(tokens, index))) continue
    if (!'.(['.includes(tokens.text.charAt(tokens.from[index + 1] ?? 0))) continue
    readCall(walk, line, readChain(tokens, index), index === line.from)
  }
}

function readCall(walk: Walk, line: PythonLine, chain: Chain, isFirst: boolean): void {
  const { tokens, scopes } = walk
  const last = chain.parts.findLast(({ args }) => args !== null)
  if (last === undefined) return
  const mine = ownerScope(walk)
  const hidden = scopes.some(({ why }) => why !== undefined)
  if (mine !== undefined && !hidden) for (const { name } of called(chain)) mine.owner.calls.push(name)
  readSkip(walk, line, chain, last.name)
  if (mine === undefined || mine.owner.assertions.length >= mostAssertions) return
  // The change may contain a plain function that asserts, but not a method of the test class or of a mock.
  const opaque = soundsLikeAssertion(last.name) && chain.parts.length === 1 && isFirst
  const own = chain.parts.length === 2 && chain.parts[0]?.name === 'self' && !standard.test(last.name)
  if (!opaque && !isAssertion(chain, last.name)) return
  const text = plainOf(tokens, chain.from, chain.end)
  if (opaque) recordAssertion(walk, { text, subject: text, level: 2, bound: null }, last.name)
  else recordAssertion(walk, { text, ...judgeCall(tokens, chain) }, own ? last.name : null)
}

function readSkip(walk: Walk, line: PythonLine, { from, end }: Chain, name: string): void {
  const short = plainOf(walk.tokens, from, end, 8)
  const ends = /^(?:sys \. exit|os \. _exit|exit|quit) \( (?:0 )?\)$/.test(short)
  if (ends && (line.indent === 0 || ownerScope(walk)?.kind === 'test')) recordSkip(walk, short)
  if (/^(?:skip|xfail|skipTest|SkipTest|importorskip)$/.test(name))
    recordSkip(walk, plainOf(walk.tokens, from, end, 30))
}

const isAssertion = ({ parts }: Chain, name: string): boolean =>
  (/^(?:raises|warns|deprecated_call)$/.test(name) && parts.length > 1)
  || /^fail$|^assert[A-Z_]/.test(name)
  || /^(?:expect|assert_that)$/.test(parts[0]?.name ?? '')

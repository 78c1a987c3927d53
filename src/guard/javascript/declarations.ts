/** Reads a JavaScript variable: a function, another name for a test, or a replacement of the test functions. */
import { beginsLine, readChain } from '../syntax/chain.ts'
import { isHereToo, isOnlyElsewhere } from '../syntax/conditions.ts'
import { isWord, lengthOf, plainOf, textOf } from '../syntax/tokens.ts'
import { blockAfter, soon, statementEnd } from './blocks.ts'
import { aliasOf } from './test-calls.ts'
import { addAlias, addHelper, knownAlias, type Walk } from './walk.ts'

const replaceable = new Set(['it', 'test', 'describe', 'expect', 'assert'])
const doingNothing = /\bProxy\b|=> (?:\{ \}|\( \{ \} \)|undefined|null|true)$/
/** Tokens that show that the value of a variable is a function, or that it is not. */
const endsValue = new Set(['=>', '.', 'const', 'let', 'var', 'await', 'return'])

export function readDeclaration(walk: Walk, at: number): void {
  const { file, tokens } = walk
  const equals = isWord(tokens, at + 1) ? soon(tokens, at + 2, (token) => token === '=') : null
  if (equals === null) return
  const name = textOf(tokens, at + 1)
  const value = replaceable.has(name) ? plainOf(tokens, equals + 1, statementEnd(tokens, equals + 1) + 1, 60) : ''
  if (doingNothing.test(value)) walk.wholeFile ??= { how: `${name} is replaced by what does nothing`, group: file }
  const start = textOf(tokens, equals + 1) === 'async' ? equals + 2 : equals + 1
  const arrow = textOf(tokens, start) === 'function' ? start : soon(tokens, start, (token) => endsValue.has(token))
  if (arrow !== null && /^(?:=>|function)$/.test(textOf(tokens, arrow))) {
    const block = arrow === start ? (blockAfter(tokens, start) ?? start) : arrow + 1
    return addHelper(walk, name, statementEnd(tokens, block))
  }
  const known = (word: string) => knownAlias(walk, word)
  const isUnused = unusedBranch(walk, equals + 1)
  for (let place = equals + 1; place < Math.min(equals + 24, lengthOf(tokens)); place += 1) {
    if (place > equals + 1 && beginsLine(tokens, place) && /^\w/.test(textOf(tokens, place))) break
    if (!isWord(tokens, place) || textOf(tokens, place - 1) === '.' || isUnused(place)) continue
    const chain = readChain(tokens, place)
    const alias = chain.parts.some((part) => part.name === 'extend')
      ? known(chain.parts[0]?.name ?? '')
      : aliasOf(tokens, chain, known)
    if (alias !== null && chain.parts[0]?.args === null) addAlias(walk, name, alias)
  }
}

/** In `isWindows ? it.skip : it`, the first branch is used only on another platform. */
function unusedBranch({ tokens }: Walk, start: number): (place: number) => boolean {
  const end = statementEnd(tokens, start)
  const find = (token: string, from: number): number => {
    for (let place = from; place < Math.min(start + 24, end); place += 1)
      if (textOf(tokens, place) === token) return place
    return end
  }
  const question = find('?', start)
  const colon = find(':', question)
  if (colon === end) return () => false
  const condition = plainOf(tokens, start, question, 20)
  if (isOnlyElsewhere(condition)) return (place) => place > question && place < colon
  return isHereToo(condition) ? (place) => place > colon : () => false
}

/** Detects JavaScript calls that skip the tests around them, or hide their failures. */
import type { Chain } from '../syntax/chain.ts'
import { isOnlyElsewhere } from '../syntax/conditions.ts'
import { closeOf, partsOf, plainOf } from '../syntax/tokens.ts'
import type { Walk } from './walk.ts'

const never = /^(?:false|0|! true|null)$/

/**
 * Handles `this.skip()`, `t.skip('why')` and `test.skip(condition)`, which skip the surrounding test, group or file.
 */
export function skipsFromWithin(walk: Walk, chain: Chain): boolean {
  const { file, tokens, scopes } = walk
  const last = chain.parts.at(-1)
  const test = scopes.test()
  if (
    last === undefined
    || last.args === null
    || chain.parts.length > 2
    || !/^(?:skip|todo|fixme|pending)$/.test(last.name)
  )
    return false
  const root = chain.parts[0]?.name ?? ''
  const alone = chain.parts.length === 1
  const inside = test !== undefined && /^(?:skip|pending)$/.test(root)
  const mine = alone ? inside : [test?.context, 'this', 'ctx', 'context', 't', 'it', 'test'].includes(root)
  if (!mine) return false
  const first = partsOf(tokens, last.args)[0]
  const asked = first === undefined ? '' : plainOf(tokens, first.from, first.end, 20)
  if (never.test(asked) || isOnlyElsewhere(asked) || isOnlyElsewhere(scopes.condition('here') ?? '')) return true
  const how = plainOf(tokens, chain.from, chain.end, 40)
    .replace(/ ?([().,]) ?/g, '$1')
    .slice(0, 80)
  const group = scopes.group()
  if (test !== undefined) test.owner.skipped ??= { how, group: null }
  else if (group !== undefined) group.skipped ??= { how, group: group.path.join(' > ') }
  else if (root !== 'this') walk.wholeFile ??= { how, group: file }
  return true
}

/** Ending the process with exit code 0 hides all failures of the file. */
export function readEnding(walk: Walk, { parts: [root, second] }: Chain): void {
  if (
    root?.name !== 'process'
    || second === undefined
    || !/^(?:exit|reallyExit)$/.test(second.name)
    || second.args === null
  )
    return
  const code = plainOf(walk.tokens, second.args + 1, closeOf(walk.tokens, second.args), 4)
  if (/^0?$/.test(code)) walk.wholeFile ??= { how: `${root.name}.${second.name}(0)`, group: walk.file }
}

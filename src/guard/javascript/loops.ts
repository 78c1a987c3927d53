/** Enters the loops of JavaScript: `for` statements, and methods that call a function for each element. */
import { reasons } from '../test-case.ts'
import type { Span } from '../syntax/tokens.ts'
import { closeOf, textOf } from '../syntax/tokens.ts'
import { directly, statementEnd } from './blocks.ts'
import { endsAtOnce, isAsyncAt } from './promises.ts'
import { rowsOf } from './rows.ts'
import type { Walk } from './walk.ts'

export const loopMethods = new Set(['forEach', 'map', 'every', 'some'])

/** Enters the callback of a method such as `forEach`, whose arguments open at `args`. `over` is the list. */
export function enterLoopMethod({ tokens, scopes, constants }: Walk, args: number, over: Span): void {
  const end = closeOf(tokens, args)
  // `forEach` does not await its callback.
  if (textOf(tokens, args - 1) === 'forEach' && isAsyncAt(tokens, args) && endsAtOnce(scopes.test()))
    scopes.enter({ kind: 'void', end, why: reasons.unawaited })
  scopes.enter({ kind: 'loop', end, ...rowsOf(tokens, over, constants) })
}

/** Enters a `for` statement whose head opens at `open`. */
export function enterFor({ tokens, scopes, constants }: Walk, open: number): void {
  const of = directly(tokens, open, (token) => token === 'of' || token === 'in')
  const rows =
    of === null ? { rows: null, table: '' } : rowsOf(tokens, { from: of + 1, end: closeOf(tokens, open) }, constants)
  scopes.enter({ kind: 'loop', end: statementEnd(tokens, closeOf(tokens, open) + 1), ...rows })
}

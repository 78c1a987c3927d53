/** What is printed before a run: warnings, notes, and the card or one line of it. */
import type { PreparedRun } from '../../api/runs.ts'
import { card, cardLine } from '../../views/status/card.ts'
import { widthOf, type CliContext } from './context.ts'
import { note, warn } from './warn.ts'

export interface OpeningOptions {
  /** The person has just read and accepted what agents may do. */
  isAgreed?: boolean
}

export function announce(context: CliContext, { warnings, notes = [] }: PreparedRun): void {
  warn(context, warnings)
  note(context, notes)
}

/** A run that goes on as before needs no whole card. */
export function opening(
  { io, paint }: CliContext,
  { card: input, isContinued = false }: PreparedRun,
  { isAgreed = false }: OpeningOptions,
): string {
  const width = widthOf(io)
  return `${isContinued ? cardLine(input, paint, width) : card(input, paint, width, { isAgreed })}\n`
}

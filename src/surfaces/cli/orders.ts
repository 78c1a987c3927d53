/** Sends an order to a run and prints the result. */
import { plain } from '../../views/plain-text.ts'
import type { Order, Told } from '../../api/control.ts'
import type { Context } from './context.ts'

export interface OrderTexts {
  /** A process holds the run and will carry out the order. */
  live: string | ((told: Told) => string)
  /** The run rests, and the order is already recorded. */
  resting: string | ((told: Told) => string)
}

export async function order(
  { app, out, err }: Context,
  run: string | null,
  what: Order,
  { live, resting }: OrderTexts,
): Promise<number> {
  const told = await app.tell(run, what)
  const said = told.live ? live : resting
  const text = (typeof said === 'string' ? said : said(told)).replace(
    '`looper resume`',
    `\`looper resume ${told.run}\``,
  )
  out.write(`${plain(`${told.run}: ${text}`)}\n`)
  // The order is accepted even when the task source could not be updated.
  if (told.trouble !== undefined) err.write(`${plain(`! ${told.trouble}`)}\n`)
  return 0
}

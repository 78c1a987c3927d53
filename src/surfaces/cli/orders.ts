/** Sends an order to a run and prints the result. */
import { plain } from '../../views/text/plain-text.ts'
import type { Order, OrderReceipt } from '../../api/control.ts'
import type { CliContext } from './context.ts'
import { say } from './say.ts'

export interface OrderTexts {
  /** A process holds the run and will carry out the order. */
  live: string | ((receipt: OrderReceipt) => string)
  /** The run rests, and the order is already recorded. */
  resting: string | ((receipt: OrderReceipt) => string)
}

export async function order(
  context: CliContext,
  run: string | null,
  what: Order,
  { live, resting }: OrderTexts,
): Promise<number> {
  const { app, err } = context
  const receipt = await app.sendOrder(run, what)
  const said = receipt.live ? live : resting
  const text = (typeof said === 'string' ? said : said(receipt)).replace(
    '`looper resume`',
    `\`looper resume ${receipt.run}\``,
  )
  say(context, `${receipt.run}: ${text}`)
  // The order is accepted even when the task source could not be updated.
  if (receipt.trouble !== undefined) err.write(`${plain(`! ${receipt.trouble}`)}\n`)
  return 0
}

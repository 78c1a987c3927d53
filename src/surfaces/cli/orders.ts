/** Sends an order to a run and says what became of it. */
import { plain } from '../../views/plain-text.ts'
import type { Order } from './app.ts'
import type { Context } from './context.ts'

export interface OrderTexts {
  /** A process holds the run and will carry it out. */
  live: string
  /** The run rests, and the order was written down at once. */
  resting: string
}

export async function order({ app, out }: Context, run: string | null, what: Order, texts: OrderTexts): Promise<number> {
  const told = await app.tell(run, what)
  out.write(`${plain(`${told.run}: ${told.live ? texts.live : texts.resting}`)}\n`)
  return 0
}

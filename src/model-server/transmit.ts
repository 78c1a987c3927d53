/** Sends an answer: whole, cut off, or hanging. */
import type { ServerResponse } from 'node:http'
import type { Point } from './step.ts'
import { firstHalf, type Wire } from './wire.ts'

export type Fate = { kind: 'whole' } | { kind: 'drop' | 'hang'; point: Point }

/** Resolves when the server has sent its part. After a hang, the connection stays open until either side closes it. */
export async function transmit(response: ServerResponse, wire: Wire, fate: Fate): Promise<void> {
  // The client may have disconnected while the gate was closed.
  if (response.destroyed) return
  if (fate.kind === 'whole') return sendAll(response, wire)
  if (fate.point !== 'silent') await sendSome(response, wire)
  if (fate.kind === 'drop') response.destroy()
}

async function sendAll(response: ServerResponse, wire: Wire): Promise<void> {
  response.writeHead(wire.status, wire.headers)
  for (const chunk of wire.chunks) response.write(chunk)
  await new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.end(resolve)
  })
}

async function sendSome(response: ServerResponse, wire: Wire): Promise<void> {
  response.writeHead(wire.status, wire.headers)
  for (const chunk of firstHalf(wire.chunks)) {
    await new Promise<void>((resolve) => {
      response.once('close', resolve)
      response.write(chunk, () => resolve())
    })
  }
}

/** Shows output until it ends, its reader is gone, or the user interrupts it. */
import type { CliContext } from './context.ts'

/** Returns the exit code. Without `follow`, signals end the process as usual. */
export async function untilStopped(
  { io, out }: CliContext,
  follow: boolean,
  show: (signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const stop = new AbortController()
  let interrupted = false
  const interrupt = (): void => {
    interrupted = true
    stop.abort()
  }
  const offs = follow ? [io.onSignal('SIGINT', interrupt), io.onSignal('SIGTERM', interrupt)] : []
  out.onGone(() => stop.abort())
  try {
    await show(stop.signal)
  } finally {
    for (const off of offs) off()
  }
  return interrupted ? 130 : 0
}

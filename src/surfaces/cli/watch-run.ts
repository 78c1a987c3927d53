/** Starts a run, shows it, and forwards the user's signals: the first stops it gracefully, the second at once. */
import type { RunState } from '../../api/nouns.ts'
import type { Observer } from '../../api/runs.ts'
import type { Context } from './context.ts'
import { createPrinter, type Printer, type PrintOptions } from './printer.ts'

type Control = Parameters<Observer['onStart']>[0]

export interface WatchOptions extends PrintOptions {
  /**
   * What SIGHUP, sent when the terminal is closed, does to the run: `stop`, the default, or `detach` to continue
   * without a terminal.
   */
  hangup?: 'stop' | 'detach'
}

export async function watchRun<T>(
  context: Context,
  options: WatchOptions,
  start: (observer: Observer, printer: Printer) => Promise<T>,
): Promise<T> {
  let newest: RunState | null = null
  let control: Control | null = null
  const printer = await createPrinter(context, options, () => newest)
  const signals = listen(context, printer, options, () => control)
  const observer: Observer = {
    onTorn(bytes) {
      const [last, were, have] = bytes === 1 ? ['last byte', 'was', 'has'] : [`last ${bytes} bytes`, 'were', 'have']
      printer.note(`the journal's ${last} ${were} torn by a crash and ${have} been cut`)
    },
    onTrouble: (message) => printer.note(message),
    onEvent(event, state) {
      newest = state
      printer.event(event, state)
    },
    onStart(given) {
      control = given
      newest ??= given.state
      signals.started(given)
    },
  }
  try {
    return await start(observer, printer)
  } finally {
    signals.off()
    printer.end()
  }
}

/** A signal that arrives before the run can be stopped is applied as soon as it can. */
function listen(
  { io }: Context,
  printer: Printer,
  { hangup = 'stop' }: WatchOptions,
  control: () => Control | null,
): { started(control: Control): void; off(): void } {
  let count = 0
  const onSignal = (): void => {
    count += 1
    if (count === 1) {
      printer.note('stopping… (again to stop now)')
      control()?.stop()
    } else {
      printer.note('stopping now')
      // After this, a third signal ends the process; the journal makes that safe.
      off()
      control()?.stopNow()
    }
  }
  const offs = (['SIGINT', 'SIGTERM', 'SIGQUIT'] as const).map((signal) => io.onSignal(signal, onSignal))
  // With `detach`, later output fails and is dropped; `looper attach` shows the run.
  offs.push(io.onSignal('SIGHUP', hangup === 'stop' ? onSignal : () => {}))
  const off = (): void => offs.splice(0).forEach((each) => each())
  const started = (given: Control): void => {
    if (count === 1) given.stop()
    if (count > 1) given.stopNow()
  }
  return { started, off }
}

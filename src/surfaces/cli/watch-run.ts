/** Starts a run, shows it, and passes the user's signals on: the first stops it gracefully, the second at once. */
import type { RunState } from '../../model/state.ts'
import type { Observer } from './app.ts'
import type { Context } from './context.ts'
import { createPrinter, type Printer, type PrintOptions } from './printer.ts'

type Control = Parameters<Observer['onStart']>[0]

export interface WatchOptions extends PrintOptions {
  /**
   * What SIGHUP means to the run, which comes when its terminal is closed: it stops, which is usual, or continues
   * without one.
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
  const printer = createPrinter(context, options, () => newest)
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

/** A signal that comes before the run can be stopped is kept until it can. */
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
      // From here on a third signal ends the process; the journal makes that safe.
      off()
      control()?.stopNow()
    }
  }
  const offs = (['SIGINT', 'SIGTERM', 'SIGQUIT'] as const).map((signal) => io.onSignal(signal, onSignal))
  // What is printed from then on fails and is dropped; `looper attach` shows the run.
  offs.push(io.onSignal('SIGHUP', hangup === 'stop' ? onSignal : () => {}))
  const off = (): void => offs.splice(0).forEach((each) => each())
  const started = (given: Control): void => {
    if (count === 1) given.stop()
    if (count > 1) given.stopNow()
  }
  return { started, off }
}

/** Starts a run, shows it, and forwards the user's signals: the first stops it gracefully, the second at once. */
import type { RunState } from '../../api/nouns.ts'
import type { Observer, StartedRun } from '../../api/runs.ts'
import { shortRuns } from '../../views/text/name-run.ts'
import type { CliContext } from './context.ts'
import { createPrinter, type Printer, type PrintOptions } from './printer.ts'

export interface WatchOptions extends PrintOptions {
  /**
   * What SIGHUP, sent when the terminal is closed, does to the run: `detach`, the default of the setting `onHangup`,
   * to continue without a terminal, or `stop`. Absent: `stop`.
   */
  hangup?: 'stop' | 'detach'
}

export async function watchRun<T>(
  context: CliContext,
  options: WatchOptions,
  start: (observer: Observer, printer: Printer) => Promise<T>,
): Promise<T> {
  let newest: RunState | null = null
  let started: StartedRun | null = null
  let printing: Promise<void> = Promise.resolve()
  const printer = await createPrinter(context, options, () => newest)
  const signals = listen(context, printer, options, () => started)
  const print = async (run: StartedRun): Promise<void> => {
    for await (const { event, state } of run.follow()) {
      newest = state
      printer.event(event, state)
    }
  }
  const observer: Observer = {
    onTorn(bytes) {
      const [last, were, have] = bytes === 1 ? ['last byte', 'was', 'has'] : [`last ${bytes} bytes`, 'were', 'have']
      printer.note(`the journal's ${last} ${were} torn by a crash and ${have} been cut`)
    },
    onTrouble: (message) => printer.note(message),
    onStart(run) {
      started = run
      newest = run.state
      signals.started(run)
      printing = print(run)
      // An error of the printer must not end the run. It is thrown below, when the run is over.
      printing.catch(() => {})
    },
  }
  try {
    return await start(observer, printer)
  } finally {
    await printing.finally(() => {
      signals.off()
      printer.end()
    })
  }
}

/** A signal that arrives before the run can be stopped is applied as soon as it can. */
function listen(
  { io }: CliContext,
  printer: Printer,
  { hangup = 'stop' }: WatchOptions,
  run: () => StartedRun | null,
): { started(run: StartedRun): void; off(): void } {
  let count = 0
  let why: 'hangup' | undefined
  const onSignal = (): void => {
    count += 1
    if (count === 1) {
      printer.note('stopping… (again to stop now)')
      run()?.stop(why)
    } else {
      printer.note('stopping now')
      // After this, a third signal ends the process; the journal makes that safe.
      off()
      run()?.stopNow()
    }
  }
  const offs = (['SIGINT', 'SIGTERM', 'SIGQUIT'] as const).map((signal) => io.onSignal(signal, onSignal))
  // Output to the closed terminal fails and is dropped; a file or pipe gets the line.
  let hasHungUp = false
  const onHangup = (): void => {
    const known = run()
    if (!hasHungUp && known !== null) printer.note(detachedText(known))
    hasHungUp = true
  }
  const onHangupStop = (): void => {
    if (count === 0) why = 'hangup'
    onSignal()
  }
  offs.push(io.onSignal('SIGHUP', hangup === 'stop' ? onHangupStop : onHangup))
  const off = (): void => offs.splice(0).forEach((each) => each())
  const started = (given: StartedRun): void => {
    if (hasHungUp) printer.note(detachedText(given))
    if (count === 1) given.stop(why)
    if (count > 1) given.stopNow()
  }
  return { started, off }
}

const detachedText = ({ state }: StartedRun): string =>
  shortRuns(`the terminal is gone; the run continues without it: looper attach ${state.run} shows it`)

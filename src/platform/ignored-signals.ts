/** Keeps signals that mean nothing to Looper from harming a run. */

/**
 * On SIGUSR1, Node opens a debugger on a local port, through which any program could change the run. SIGUSR2 would end
 * the process. Returns a function that restores this.
 */
export function ignoreUserSignals(): () => void {
  const ignore = (): void => {}
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, ignore)
  return () => {
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.off(signal, ignore)
  }
}

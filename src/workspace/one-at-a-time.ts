/** Git locks what is shared between work trees; commands that would only queue for those locks queue here instead. */

export type Serially = <T>(job: () => Promise<T>) => Promise<T>

export function oneAtATime(): Serially {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job, job)
    last = result.catch(() => {})
    return result
  }
}

/**
 * Whoever writes to one place queues here, so that each sees what the one before has done, and nobody only waits for a
 * lock.
 */

export type InTurn = <T>(job: () => Promise<T>) => Promise<T>

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job, job)
    last = result.catch(() => {})
    return result
  }
}

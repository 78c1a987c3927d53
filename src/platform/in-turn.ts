/** Runs jobs one after another, so that each writer sees the result of the one before and none waits for a lock. */

export type InTurn = <T>(job: () => Promise<T>) => Promise<T>

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job, job)
    last = result.catch(() => {})
    return result
  }
}

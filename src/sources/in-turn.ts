/** Writers of one place queue here, so that each sees what the one before has done. */

export type InTurn = <T>(job: () => Promise<T>) => Promise<T>

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job, job)
    last = result.catch(() => {})
    return result
  }
}

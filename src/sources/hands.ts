/**
 * Decides whether a task of a shared source belongs to another worker: one that others work on or have put their name
 * on.
 */

export interface Hands {
  /** Records that this store starts the task, under the name `by`. */
  take(id: string, by?: string): void
  /**
   * `name` is the owner that the source records. A task in progress without an owner belongs to the store that began
   * it.
   */
  areOthers(id: string, name: string, isUnderWay: boolean): boolean
}

/** `owner`: the name under which earlier processes of the same run claimed tasks; empty when there is none. */
export function createHands(owner: string): Hands {
  const names = new Set([owner])
  const begun = new Set<string>()
  return {
    take(id, by = owner) {
      names.add(by)
      begun.add(id)
    },
    areOthers: (id, name, isUnderWay) => (name === '' ? isUnderWay && !begun.has(id) : !names.has(name)),
  }
}

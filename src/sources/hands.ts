/** In whose hands a task of a shared source is: what others work on, or have put their name on, is theirs. */

export interface Hands {
  /** This store begins a task, under that name. */
  take(id: string, by?: string): void
  /** `name`: who it is said to belong to; work that is under way without a name belongs to whoever began it. */
  areOthers(id: string, name: string, isUnderWay: boolean): boolean
}

/** `owner`: the name under which earlier processes of the same run have begun tasks; empty when there is none. */
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

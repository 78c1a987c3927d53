/**
 * bd gives new issues ids of its own: a task that Looper added keeps Looper's name for it as the issue's external
 * reference.
 */
import type { BeadsIssue } from './issue.ts'

export interface Names {
  learn(issues: readonly BeadsIssue[]): void
  /** Is there an issue of this name? */
  knows(name: string): boolean
  nameOf(issue: BeadsIssue): string
  idOf(name: string): string
  refOf(name: string): string
}

export function createNames(label: string | null): Names {
  const prefix = `looper:${label ?? ''}:`
  const ids = new Map<string, string>()
  const nameOf = ({ id, externalRef }: BeadsIssue): string => {
    const name = externalRef.startsWith(prefix) ? externalRef.slice(prefix.length) : ''
    // The first that bears a name keeps it.
    return name !== '' && (ids.get(name) ?? id) === id ? name : id
  }
  return {
    learn(issues) {
      for (const { id } of issues) ids.set(id, id)
      for (const issue of issues) ids.set(nameOf(issue), issue.id)
    },
    knows: (name) => ids.has(name),
    nameOf,
    idOf: (name) => ids.get(name) ?? name,
    refOf: (name) => prefix + name,
  }
}

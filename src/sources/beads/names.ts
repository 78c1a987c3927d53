/**
 * Maps task names to issue ids. bd assigns its own ids, so a task that Looper added keeps its name as the external
 * reference of the issue.
 */
import type { BeadsIssue } from './issue.ts'

export interface Names {
  learn(issues: readonly BeadsIssue[]): void
  /** Reports whether an issue has this name. */
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
    // When two issues have the same name, the first one keeps it.
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

/** Finds doctests that a change removes from product code or documents that checks run. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { examplesIn, holdsExamples } from '../examples.ts'
import { finding } from '../finding.ts'
import { mergeDoctests } from '../reverse/merge-doctests.ts'
import { resolvedCommands } from './scripts.ts'

const settings = /(?:^|\/)(?:\.?pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini)$/

/** `given` includes files that did not change. */
export function compareDoctests(given: readonly ChangedFile[], checks: readonly string[]): TamperFinding[] {
  const held = given.filter(({ path, before, after }) => {
    return /\.(?:py|md|rst|txt)$/.test(path) && before !== after && holdsExamples(before)
  })
  if (held.length === 0 || !runsDoctests(given, checks)) return []
  const kept = new Set(given.flatMap(({ after }) => examplesIn(after).map(({ source }) => source)))
  return held.flatMap(({ path, before, after }) => {
    if (before === null || after === null) return []
    // Examples of a function that is gone are not missed, and rewritten ones are left to reverse proof.
    const wanted = examplesIn(path.endsWith('.py') ? mergeDoctests(before, after) : before)
    const [gone, ...more] = wanted.filter(({ source }) => !kept.has(source))
    if (gone === undefined || examplesIn(after).length >= wanted.length) return []
    const others = more.length === 0 ? '' : `, and ${more.length} more`
    return [finding('assertions-removed', path, null, `the example >>> ${gone.source} is gone${others}`)]
  })
}

function runsDoctests(given: readonly ChangedFile[], checks: readonly string[]): boolean {
  return (
    resolvedCommands(given, checks).some((command) => command.includes('doctest'))
    || given.some(({ path, before }) => settings.test(path) && (before ?? '').includes('--doctest'))
  )
}

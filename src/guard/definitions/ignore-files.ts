/** Finds files that a linter or formatter newly ignores. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { isInnocent } from './compare-settings.ts'

const ignoring = /(?:^|\/)\.(?:eslint|oxlint|stylelint|prettier|pylint|tslint|semgrep|markdownlint|sonar)ignore$/

export function compareIgnoreFiles(changed: readonly ChangedFile[]): TamperFinding[] {
  return changed
    .filter(({ path }) => ignoring.test(path))
    .flatMap(({ path, before, after }) => {
      const known = new Set(entriesOf(before))
      const added = entriesOf(after).filter((entry) => !known.has(entry) && !isInnocent(entry))
      return added.length === 0
        ? []
        : [finding('check-changed', path, null, `now leaves out ${added.slice(0, 3).join(', ')}`)]
    })
}

const entriesOf = (text: string | null): string[] =>
  (text ?? '')
    .slice(0, 100_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#!]/.test(line))

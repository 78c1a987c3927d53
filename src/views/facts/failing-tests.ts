/** Names the failing tests of a check, separating those that failed before the first task. */
import type { CheckRecord } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { listed } from './progress.ts'

/** "rounds, halves, and 2 that failed before"; empty when no test is named. */
export function failingText(names: readonly string[], { baseline }: Pick<RunState, 'baseline'>): string {
  const before = new Set((baseline?.checks ?? []).flatMap(({ failing }) => failing ?? []))
  const news = names.filter((name) => !before.has(name))
  const old = names.length - news.length
  if (news.length === 0) return old === 0 ? '' : `${listed(underFiles(names))}, as before`
  return `${listed(underFiles(news))}${old === 0 ? '' : `, and ${old} that failed before`}`
}

/** "a.js › rounds", "a.js › halves" become "a.js › rounds", "halves": a file is named once for all that follow. */
function underFiles(names: readonly string[]): string[] {
  const fileOf = (name: string): string => name.slice(0, name.indexOf(' › ') + 1)
  return names.map((name, at) => {
    const file = fileOf(name)
    return file !== '' && file === fileOf(names[at - 1] ?? '') ? name.slice(file.length + 2) : name
  })
}

/** The failing tests of a check that was just judged. The ledger still has its output, found by the fingerprint. */
export function failingOf({ task, fingerprint }: CheckRecord, { ledger }: RunState): string[] {
  if (fingerprint === null) return []
  const outcomes = Object.values(ledger[task ?? 'gate'] ?? {}).map(({ outcome }) => outcome)
  const own = outcomes.findLast((outcome) => outcome.kind === 'check' && outcome.fingerprint === fingerprint)
  return own?.kind === 'check' ? (own.failing ?? []) : []
}

/** Names the failing tests of a check, separating those that failed before the first task. */
import type { CheckRecord } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { listed } from './progress.ts'

/** "rounds, halves, and 2 that failed before"; empty when no test is named. */
export function failingText(names: readonly string[], { baseline }: Pick<RunState, 'baseline'>): string {
  const before = new Set((baseline?.checks ?? []).flatMap(({ failing }) => failing ?? []))
  const news = names.filter((name) => !before.has(name))
  const old = names.length - news.length
  if (news.length === 0) return old === 0 ? '' : `${listed(names)}, as before`
  return `${listed(news)}${old === 0 ? '' : `, and ${old} that failed before`}`
}

/** The failing tests of a check that was just judged. The ledger still has its output, found by the fingerprint. */
export function failingOf({ task, fingerprint }: CheckRecord, { ledger }: RunState): string[] {
  if (fingerprint === null) return []
  const outcomes = Object.values(ledger[task ?? 'gate'] ?? {}).map(({ outcome }) => outcome)
  const own = outcomes.findLast((outcome) => outcome.kind === 'check' && outcome.fingerprint === fingerprint)
  return own?.kind === 'check' ? (own.failing ?? []) : []
}

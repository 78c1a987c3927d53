/** Finds changes of Looper's own settings that make later runs less strict. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import type { Settings } from './settings.ts'
import { readSettings } from './settings.ts'

const guards = ['off', 'warn', 'block']

export function compareOwnSettings(changed: readonly ChangedFile[]): TamperFinding[] {
  return changed
    .filter(({ path }) => /^\.looper\/config\.json$/.test(path))
    .flatMap(({ path, before, after }) => {
      const why = weaker(readSettings(path, before), readSettings(path, after), after ?? '')
      return why === null ? [] : [finding('check-changed', path, null, why)]
    })
}

/** Compares only what the file states: an absent setting has its default. */
function weaker(was: Settings, is: Settings, text: string): string | null {
  const checks = commandsOf(was)
  const now = commandsOf(is)
  const lost = checks.find((command) => !now.includes(command))
  if (lost !== undefined) return `checks: no longer has ${lost}`
  if (checks.length === 0 && now.length > 0) return `checks: nothing → ${now.join(', ').slice(0, 80)}`
  // When a key is repeated, the last one counts, and a key can be spelled with escapes.
  if (/\\u/.test(text) || (text.match(/["']checks["']/g) ?? []).length > 1) return 'checks: said more than once'
  for (const key of ['checks.when', 'checks.hidden', 'checks.timeoutMinutes']) {
    const [before, after] = [was.get(key) ?? [], is.get(key) ?? []]
    if (before.join() !== after.join() && now.length === checks.length) return `${key}: ${say(before)} → ${say(after)}`
  }
  const [guard, after] = [was.get('guard')?.[0] ?? 'block', is.get('guard')?.at(-1) ?? 'block']
  if (guards.indexOf(after) < guards.indexOf(guard)) return `guard: ${guard} → ${after}`
  if (is.get('proof')?.at(-1) === 'false' && was.get('proof')?.[0] !== 'false') return 'proof: true → false'
  const [baseline, later] = [was.get('baseline')?.[0], is.get('baseline')?.at(-1)]
  if (baseline !== later) return `baseline: ${baseline ?? 'nothing'} → ${later ?? 'nothing'}`
  return null
}

const commandsOf = (settings: Settings): string[] => [
  ...(settings.get('checks') ?? []),
  ...(settings.get('checks.run') ?? []),
]
const say = (values: readonly string[]): string => (values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80))

/** Gives checks that are plain commands a name. */
import type { CheckConfig } from '../model/config.ts'

/** Configured names stay as they are; derived names are numbered where they would collide. */
export function nameChecks(checks: readonly (string | CheckConfig)[]): CheckConfig[] {
  const taken = new Set(checks.flatMap((check) => (typeof check === 'string' ? [] : [check.name])))
  return checks.map((check) => {
    if (typeof check !== 'string') return check
    const name = unused(shorten(check), taken)
    taken.add(name)
    return { name, run: check.trim() }
  })
}

/** Shortens to at most forty characters. */
const shorten = (command: string): string =>
  command
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/^(.{39}).{2,}$/u, (_, start: string) => `${start.trimEnd()}…`)

function unused(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, candidate = name; ; candidate = `${name} (${number++})`) {
    if (!taken.has(candidate)) return candidate
  }
}

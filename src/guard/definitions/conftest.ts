/** Finds pytest hooks that keep tests from being collected, run or counted. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'

const names = [
  'collect_ignore',
  'collect_ignore_glob',
  'pytest_ignore_collect',
  'pytest_collection_modifyitems',
  'pytest_collect_file',
  'pytest_runtest_makereport',
  'pytest_runtest_call',
  'pytest_runtest_setup',
  'pytest_sessionfinish',
  'pytest_pyfunc_call',
]
const hooks = new RegExp(`^(?:def )?(${names.join('|')})\\b(.*)$`)

export function compareConftest(changed: readonly ChangedFile[]): TamperFinding[] {
  return changed
    .filter(({ path }) => /(?:^|\/)conftest\.py$/.test(path))
    .flatMap(({ path, before, after }) => {
      const was = hooksIn(before)
      const times = (text: string | null, sign: RegExp): number => ((text ?? '').match(sign) ?? []).length
      const more = (sign: RegExp): boolean => times(after, sign) > times(before, sign)
      const autouse = more(/\bautouse\s*=\s*True/g) && more(/\bpytest\.(?:skip|xfail|exit)\(/g)
      const skips = autouse ? [finding('check-changed', path, null, 'a fixture that all tests have skips them')] : []
      return [
        ...skips,
        ...[...hooksIn(after)].flatMap(([name, text]) => {
          if (was.get(name) === text) return []
          const grown =
            !was.has(name) || (name.startsWith('collect_ignore') && count(text) > count(was.get(name) ?? ''))
          return grown ? [finding('check-changed', path, null, `${name} is new: ${text.slice(0, 80)}`)] : []
        }),
      ]
    })
}

const count = (text: string): number => (text.match(/["'][^"']+["']/g) ?? []).length

function hooksIn(text: string | null): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of (text ?? '').slice(0, 400_000).split('\n')) {
    const hook = hooks.exec(line.slice(0, 500))
    if (hook !== null) found.set(hook[1] ?? '', `${found.get(hook[1] ?? '') ?? ''}${(hook[2] ?? '').trim()}`)
  }
  return found
}

/** The executed tests of jest and mocha, which list them in the same form. */
import { tidy } from './test-runner.ts'

/** jest and mocha: indented headings, then `✓ name`, `✕ name` or `1) name`. */
export function indentedNames(text: string): string[] {
  if (!/^ {2}\d+ passing \(|^Tests: +.*\d+ total$/m.test(text)) return []
  const open: { indent: number; name: string }[] = []
  const names: string[] = []
  let file = ''
  for (const line of text.split('\n')) {
    if (/^ {2}\d+ (?:passing|failing)\b|^Test Suites: |^ {2}● /.test(line)) {
      if (file === '') break
      else continue
    }
    const heading = /^ *(?:PASS|FAIL) (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1]
    if (heading !== undefined) {
      file = heading
      open.length = 0
      continue
    }
    const [, space = '', mark, name = ''] = /^( {2,})(?:([✓✔✕×]|\d+\)) )?(\S.*)$/.exec(line) ?? []
    if (space === '' || /^[○-] /.test(name)) continue
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
    if (mark === undefined) open.push({ indent: space.length, name })
    else names.push([...(file === '' ? [] : [file]), ...open.map((group) => group.name), tidy(name)].join(' › '))
  }
  return names
}

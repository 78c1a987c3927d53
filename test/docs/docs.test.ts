/** Reference pages are generated from the code. `npm run docs` writes them; this test fails when they are out of date. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { configTable, entryTables } from '../../src/config/document.ts'
import { parseConfig } from '../../src/config/file.ts'
import { loadConfig } from '../../src/config/layers.ts'
import { errorTable } from '../../src/model/error.ts'

const root = resolve(import.meta.dirname, '../..')

test('docs/events.md', async () => {
  await expect(eventsPage(readFileSync(join(root, 'src/model/event.ts'), 'utf8'))).toMatchFileSnapshot(join(root, 'docs/events.md'))
})

test('docs/guides/configuration.md', async () => {
  await expect(configurationPage()).toMatchFileSnapshot(join(root, 'docs/guides/configuration.md'))
})

test('docs/errors.md', async () => {
  await expect(errorsPage()).toMatchFileSnapshot(join(root, 'docs/errors.md'))
})

test.each(['README.md', 'docs/guides/agents.md', 'docs/guides/command-agents.md'])('every configuration shown in %s is valid', (page) => {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```jsonc\n([\s\S]*?)```/g)].flatMap(([, text]) => text ?? [])
  expect(blocks.length).toBeGreaterThan(0)
  for (const text of blocks) loadConfig({ root: null, env: {}, home: '/nowhere', flags: parseConfig(text, { where: page, hint: '' }) })
})

function eventsPage(source: string): string {
  const payloads = source.slice(source.indexOf('interface Payloads {') + 20, source.indexOf('\n}\n', source.indexOf('interface Payloads {')))
  const entries = [...payloads.matchAll(/ {2}\/\*\* (.+?) \*\/\n {2}'([\w.]+)': ([\s\S]*?)(?=\n {2}\/\*\*|$)/g)]
  const types = source.slice(source.indexOf('/** Why an attempt'), source.indexOf('interface Payloads'))
  return [
    '# Events', '',
    '<!-- Generated from src/model/event.ts by `npm run docs`. -->', '',
    'A run\'s journal is `.looper/runs/<id>/events.jsonl`: one JSON object a line with `seq` (1, 2, 3 …), `at` (ISO time), `type`, the fields below',
    'and `sum`, a CRC-32 of the rest of the line. `looper run --json` prints the same objects as they become durable.', '',
    ...entries.flatMap(([, meaning, type, payload]) => [`## ${type}`, '', meaning as string, '', '```ts', (payload as string).trim().replaceAll(/^ {2}/gm, ''), '```', '']),
    '## Types used above', '', '```ts', types.trim(), '```', '',
  ].join('\n')
}

function errorsPage(): string {
  const retries = { never: 'no', 'after-fix': 'after mending it', later: 'later' }
  return [
    '# Errors', '',
    '<!-- Generated from src/model/error.ts by `npm run docs`. -->', '',
    'Looper fails with one line that says what happened and one that says what to do. Exit codes: 0 done, 1 failed, 2 usage or configuration,',
    '3 paused or a limit reached, 130 interrupted.', '',
    '| code | exit | try again | what to do |', '|---|---|---|---|',
    ...Object.entries(errorTable).map(([code, { exit, retry, hint }]) => `| ${code} | ${exit} | ${retries[retry]} | ${hint.replaceAll('|', '\\|')} |`), '',
  ].join('\n')
}

function configurationPage(): string {
  return [
    '# Configuration', '',
    '<!-- Generated from src/config/keys.ts by `npm run docs`. -->', '',
    'Layers, each over the one before: defaults, the user\'s file (`~/.config/looper/config.json`), the project\'s file (`.looper/config.json`), `LOOPER_*`',
    'variables, flags. Objects merge, lists replace. Comments and trailing commas are fine. `looper config` shows every value and where it comes from;',
    'an unknown key or a wrong type is an error that names the file, the key and the nearest valid one.', '',
    'Limits: 0 means none, null means no limit. `checks` absent means discovered from the project; `[]` means switched off: then everything is',
    '"unverified". `workspace.setup` absent means discovered from the lock file.', '',
    configTable(), '', entryTables(), '',
  ].join('\n')
}

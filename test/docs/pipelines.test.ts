/** The guide to pipelines: its tables come from the code (`npm run docs` writes them), and its examples are sound. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variables } from '../../src/model/variables.ts'
import { completions, entryKeys, snakeCase, stageKeys } from '../../src/pipelines/keys.ts'
import { lintCodes } from '../../src/pipelines/finding.ts'
import { lintReport } from '../../src/pipelines/lint-report.ts'
import { listDefinitions } from '../../src/pipelines/list.ts'
import { optionsOf } from '../../src/pipelines/completion.ts'
import { packageFolder, projectWith } from '../kit/definitions.ts'

const page = join(packageFolder, 'docs/guides/pipelines.md')
const text = readFileSync(page, 'utf8')

test('C8: the tables of keys, variables and lint codes are those of the code', async () => {
  const { name: _name, stage, ...others } = entryKeys
  const keys = { ...stageKeys, ...others }
  const tables = {
    keys: [
      '| key | meaning (what holds where it is absent) |',
      '|---|---|',
      ...Object.entries(keys).map(([name, { about }]) => `| \`${snakeCase(name)}\` | ${about} |`),
      `| \`stage\` | in pipelines: ${stage.about} |`,
    ],
    variables: [
      '| variable | value |',
      '|---|---|',
      ...Object.entries(variables).map(([name, about]) => `| \`\${${name}}\` | ${about} |`),
    ],
    codes: [
      '| code | | meaning |',
      '|---|---|---|',
      ...Object.entries(lintCodes).map(([code, { severity, about }]) => `| ${code} | ${severity} | ${about} |`),
    ],
  }
  const written = Object.entries(tables).reduce(
    (page, [name, lines]) =>
      page.replace(
        new RegExp(`(<!-- begin ${name}:.*-->\n)[^]*?(<!-- end ${name} -->)`),
        (_, begin: string, end: string) => `${begin}\n${lines.join('\n')}\n\n${end}`,
      ),
    text,
  )
  await expect(written).toMatchFileSnapshot(page)
})

test('the table of completions lists each with what it reads', () => {
  const section = text.slice(text.indexOf('## When it is enough'), text.indexOf('## A pipeline'))
  const rows = [...section.matchAll(/^\| `([a-z-]+)` \| .* \| (.*)\|$/gm)].map(([, name = '', options = '']) => [
    name,
    [...options.matchAll(/`(\w+)`/g)].map(([, option]) => option),
  ])
  expect(rows).toEqual(completions.map((name) => [name, optionsOf[name].map(snakeCase)]))
})

test('the table of built-in stages lists each with its completion', () => {
  const told = [...text.matchAll(/^\| `([a-z-]+)`(?: \(.*\))? \| ([a-z-]+) \|/gm)].map(([, name, completion]) => [
    name,
    completion,
  ])
  const { root } = projectWith({})
  const there = listDefinitions({ root, packageFolder })
    .filter(({ kind }) => kind === 'stage')
    .map(({ name, completion }) => [name, completion])
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(there))
})

test('the examples are without a flaw', () => {
  const files = [...text.matchAll(/```(?:yaml|markdown|text)\n(?:# |<!-- )(\S+)(?: -->)?\n([^]*?)```/g)].map(
    ([, path = '', content = '']): [string, string] => [path, content],
  )
  expect(files.map(([path]) => path)).toEqual([
    '.looper/stages/harden/stage.yaml',
    '.looper/stages/harden/prompt.md',
    'docs/parts.txt',
    '.looper/pipelines/fortress.yaml',
  ])
  expect(lintReport(projectWith(Object.fromEntries(files)), null, null)).toMatchObject({ findings: [] })
})

/**
 * Reference pages are generated from the code. `npm run docs` writes them; this test fails when they are out of date.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { aliases } from '../../src/config/aliases.ts'
import { aliasList, configList, entryLists } from '../../src/config/document.ts'
import { parseConfig } from '../../src/config/file.ts'
import { loadConfig } from '../../src/config/layers.ts'
import { eventTypes } from '../../src/core/evolve.ts'
import { errorTable } from '../../src/model/error.ts'
import { wrapMarkdown } from '../kit/wrap-markdown.ts'
import { eventVersion } from '../../src/model/event.ts'

const root = resolve(import.meta.dirname, '../..')

test('docs/events.md', async () => {
  const payloads = ['run', 'plan', 'tasks', 'backlog', 'waves', 'work', 'records']
  expect(payloads.toSorted().map((name) => `${name}.ts`)).toEqual(
    readdirSync(join(root, 'src/model/events')).toSorted(),
  )
  const page = eventsPage(
    payloads.map((name) => readFileSync(join(root, 'src/model/events', `${name}.ts`), 'utf8')),
    readdirSync(join(root, 'src/model'))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .toSorted()
      .map((name) => readFileSync(join(root, 'src/model', name), 'utf8')),
  )
  for (const type of eventTypes) expect(page).toContain(`\n## ${type}\n`)
  await expect(page).toMatchFileSnapshot(join(root, 'docs/events.md'))
})

test('docs/events.md has every type that it names', () => {
  const page = readFileSync(join(root, 'docs/events.md'), 'utf8')
  const code = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text).join('\n')
  const missing = named(code).filter(
    (name) => !new RegExp(`^export (?:interface|type|const) ${name}\\b`, 'm').test(code),
  )
  expect(missing).toEqual([])
  for (const name of ['Checkpoint', 'NextStep', 'AntiPattern', 'Trouble', 'Health', 'healths', 'Evidence'])
    expect(named(code)).toContain(name)
})

test('docs/guides/configuration.md', async () => {
  await expect(configurationPage()).toMatchFileSnapshot(join(root, 'docs/guides/configuration.md'))
})

test('docs/guides/configuration.md has an item for every name of another tool', () => {
  const sections = configurationPage().split('\n### ')
  for (const { tool, name, origin } of aliases)
    expect(
      sections.find((section) => section.startsWith(`${tool}\n`)),
      name,
    ).toContain(`\n- \`${name.replace('*', '<name>')}\` (${origin}): `)
})

test('docs/errors.md', async () => {
  await expect(errorsPage()).toMatchFileSnapshot(join(root, 'docs/errors.md'))
})

test.each(['README.md', 'docs/guides/agents.md', 'docs/guides/command-agents.md'])(
  'every configuration shown in %s is valid',
  (page) => {
    const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```jsonc\n([\s\S]*?)```/g)].flatMap(
      ([, text]) => text ?? [],
    )
    expect(blocks.length).toBeGreaterThan(0)
    for (const text of blocks)
      loadConfig({ root: null, env: {}, home: '/nowhere', flags: parseConfig(text, { where: page, hint: '' }) })
  },
)

/** What a text of types names: types with a capital, and values by `typeof`. Comments and texts name nothing. */
function named(code: string): string[] {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '')
  const names = [...bare.matchAll(/\btypeof (\w+)|\b([A-Z]\w+)\b/g)].flatMap(([, value, type]) => value ?? type ?? [])
  return [...new Set(names)].filter((name) => !ofTheLanguage.includes(name))
}

const ofTheLanguage = ['Record', 'Partial', 'Pick', 'Omit', 'Extract', 'Exclude']

/** Declarations at the margin with the comments right above them, by name, in their order. */
function declarationsIn(source: string): [name: string, text: string][] {
  const blocks = source.split(/\n(?=\/\*\*|export |const |function |interface |type )/)
  return blocks.flatMap((block, at): [string, string][] => {
    const name = /^export (?:interface|type|const) (\w+)/.exec(block)?.[1]
    const above = blocks[at - 1] ?? ''
    return name === undefined
      ? []
      : [[name, `${/^\/\*\*[\s\S]*\*\/$/.test(above) ? `${above}\n` : ''}${block.trimEnd()}`]]
  })
}

/** What these texts name, and what that names in turn. */
function typesUsed(texts: readonly string[], sources: readonly string[]): string[] {
  // Of two by one name, the first: an event means its own.
  const declared = new Map<string, string>()
  for (const [name, text] of sources.flatMap(declarationsIn)) if (!declared.has(name)) declared.set(name, text)
  const used = new Set<string>()
  const look = (text: string): void => {
    for (const name of named(text))
      if (declared.has(name) && !used.has(name)) {
        used.add(name)
        look(declared.get(name) as string)
      }
  }
  texts.forEach(look)
  return [...declared].filter(([name]) => used.has(name)).map(([, text]) => text)
}

/** The events of an interface: what the comment says, the type, and the fields. */
function entriesOf(source: string): { meaning: string; type: string; payload: string }[] {
  const body = source.slice(source.indexOf('Events {\n') + 9, source.lastIndexOf('\n}'))
  const found = body.matchAll(
    /^ {2}\/\*\*((?:(?!\*\/)[\s\S])+)\*\/\n {2}'([\w.]+)': ([\s\S]*?)(?=\n {2}\/\*\*|(?![\s\S]))/gm,
  )
  return [...found].map(([, comment = '', type = '', payload = '']) => ({
    meaning: comment.replaceAll(/\s+\*\s|\s+/g, ' ').trim(),
    type,
    payload,
  }))
}

function eventsPage(payloads: readonly string[], model: readonly string[]): string {
  const entries = payloads.flatMap(entriesOf)
  const types = typesUsed(
    entries.map(({ payload }) => payload),
    model,
  )
  return wrapMarkdown(
    [
      '# Events',
      '',
      '<!-- Generated from src/model by `npm run docs`. -->',
      '',
      "A run's journal is `.looper/runs/<id>/events.jsonl`: one JSON object per line with `seq` (1, 2, 3 …), `at` (ISO time),",
      '`type`, the fields below, and `sum`, a CRC-32 of the rest of the line. `looper run --json` prints the same objects as',
      'they become durable.',
      '',
      `\`version\` is the version of the events, now ${eventVersion}; a line without it has version 1. Journals of earlier`,
      'versions stay readable. A journal with a version or a type of event that this Looper does not know is refused',
      '(JOURNAL_VERSION).',
      '',
      ...entries.flatMap(({ meaning, type, payload }) => [
        `## ${type}`,
        '',
        meaning,
        '',
        '```ts',
        payload.trim().replaceAll(/^ {2}/gm, ''),
        '```',
        '',
      ]),
      '## Types used above',
      '',
      '```ts',
      types.join('\n\n'),
      '```',
      '',
    ].join('\n'),
  )
}

function errorsPage(): string {
  const retries = { never: 'no', 'after-fix': 'after a fix', later: 'later' }
  return wrapMarkdown(
    [
      '# Errors',
      '',
      '<!-- Generated from src/model/error.ts by `npm run docs`. -->',
      '',
      'Looper fails with one line that says what happened and one that says what to do. Exit codes: 0 done, 1 failed,',
      '2 usage or configuration, 3 paused or a limit reached, 130 interrupted.',
      '',
      ...Object.entries(errorTable).map(
        ([code, { exit, retry, hint }]) => `- \`${code}\` (exit code ${exit}; try again: ${retries[retry]}): ${hint}`,
      ),
      '',
    ].join('\n'),
  )
}

function configurationPage(): string {
  return wrapMarkdown(
    [
      '# Configuration',
      '',
      '<!-- Generated from src/config/keys.ts by `npm run docs`. -->',
      '',
      "Settings come from five layers: defaults, the user's file (`~/.config/looper/config.json`), the project's file",
      '(`.looper/config.json`), `LOOPER_*` variables, and flags. A later layer overrides an earlier one. Objects are merged,',
      'lists are replaced. Comments and trailing commas are allowed. `looper config` shows every value and its source. An',
      'unknown key or a wrong type is an error that names the file, the key and the nearest valid key.',
      '',
      'Limits: 0 means none, null means no limit. Without `checks`, checks are discovered from the project; `[]` switches',
      'them off, and then everything is "unverified". Without `workspace.setup`, set-up is discovered from lock files and manifests.',
      '',
      'Every key has a variable, also keys that contain a name you choose: `LOOPER_AGENTS_CLAUDE_MODEL` sets',
      '`agents.claude.model`, `LOOPER_AGENTS_CLAUDE_ENV_HTTP_PROXY` sets the variable `HTTP_PROXY` of that agent. In such a',
      'name, capitals stand for small letters and `_` for any other character. A configured agent or model is matched in',
      'this way; a new one gets small letters and dashes. Write lists with commas; for commands and arguments, plain text',
      'is a single entry. JSON works for both, and for objects. The more specific variable wins: `LOOPER_LIMITS_TURNS`',
      'over `LOOPER_LIMITS`.',
      '',
      'Values of `agents.<name>.env`, `checks[].env`, `workspace.env` and `notify.webhook`, and all other',
      '[secrets](secrets.md), are never shown.',
      '',
      '## Commands',
      '',
      '- `looper config` prints every setting in effect with its source, and warnings on stderr.',
      '- `looper config get <key>` prints only the value: text as it is, other values as JSON, nothing when it is not set.',
      'With `--json` it always prints JSON.',
      "- `looper config set <key> <value>` writes to the project's file, or with `--user` to yours. It keeps comments, order",
      'and style.',
      '- `looper config set <key> --unset` removes a key from the file.',
      '- `looper config path` lists the files that Looper reads, and which of them exist.',
      '',
      'These commands write nothing that would make the configuration invalid.',
      '',
      '## Editors',
      '',
      '`looper init` and `looper config set` write `config.schema.json` beside the configuration file, which starts with',
      '`"$schema": "./config.schema.json"`. Every editor that knows JSON Schema then completes keys, shows their meaning and',
      'marks mistakes, without network and independent of where Looper is installed. Commit both files. Each of the two',
      'commands updates the copy.',
      '',
      '## Keys',
      '',
      configList(),
      '',
      entryLists(),
      '',
      '## Names of other tools',
      '',
      'Looper understands the setting names of some other tools. `looper config` shows which name a value came from. Where',
      "one of Looper's own names sets the same value in the same file or environment, Looper's name wins, with a warning.",
      'loop-agents keeps its settings in its stages, which Looper reads as they are; the loop for VS Code has no settings.',
      'Variables that many programs may use, like `CLAUDE_MODEL` or `CODEX_BIN`, are not read: use',
      '`LOOPER_AGENTS_CLAUDE_MODEL` and similar names.',
      '',
      aliasList(),
      '',
    ].join('\n'),
  )
}

/** Guides are followed to the letter: their files are written, their lines typed, in a real repository. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aliases } from '../../src/config/aliases.ts'
import { loadConfig } from '../../src/config/layers.ts'
import { unlicensed } from '../../src/core/policies/tamper.ts'
import { sourceStatuses } from '../../src/model/source.ts'
import { tamperKinds, type TamperKind } from '../../src/model/tamper.ts'
import type { Fields } from '../../src/schema/shape.ts'
import { projectFields, rootFields, taskFields } from '../../src/sources/todo-file/fields.ts'
import { statusOf, statusWords } from '../../src/sources/todo-file/status.ts'
import { blocksOf, follow, pageText, type Followed } from '../kit/guide.ts'
import { createProject } from '../kit/project.ts'

const root = resolve(import.meta.dirname, '../..')
const backlog = 'docs/guides/backlog.md'
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([\w.-]+)`/g)].map(([, name = '']) => name)
const coming = ['looper-go', 'loop-agents', 'claude-looper'].map((tool) => `docs/guides/coming-from-${tool}.md`)

/** Every line ended as its page says. */
async function followed(page: string, files: Record<string, string> = {}): Promise<Followed> {
  const result = await follow(page, files)
  onTestFinished(() => result.project.remove())
  expect(result.surprise).toBeNull()
  return result
}
const outputOf = ({ said }: Followed, line: string): string | undefined =>
  said.find((each) => each.line === line)?.output

const todo = ({ project }: Followed): unknown => JSON.parse(project.read('to-do.json'))
const prompts = ({ project }: Followed): string => readFileSync(join(project.notes, 'prompts'), 'utf8')

test('D1 D3 D7 D9: docs/guides/backlog.md can be followed', async () => {
  const done = await followed(backlog)
  const { project, said } = done
  expect(said.at(-1)?.line).toBe('looper run --in-place')
  expect(project.git('ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(
    expect.arrayContaining(['T001.txt', 'T002.txt', 'T003.txt']),
  )
  expect(project.read('hooks.txt')).toBe('postIteration T004 done\nonEnd 004-backlog completed\n')
  expect(prompts(done)).toContain('British spelling.')
  expect(todo(done)).toMatchObject({ tasks: [{ id: 'T004', status: 'done' }], completed: { run: '004-backlog' } })
  expect(outputOf(done, 'looper ls')).toMatch(/T001[^]*T002[^]*T003/)
})

test('D1: docs/guides/backlog.md has the fields and the statuses of the code', async () => {
  const rows = (fields: Fields, prefix = ''): string[] =>
    Object.entries(fields).map(
      ([name, { about, presence }]) => `| \`${prefix}${name}\` | ${presence === 'required' ? 'yes' : ''} | ${about} |`,
    )
  const { $schema: _schema, tasks, ...others } = rootFields
  const table = [
    '| field | needed | meaning |',
    '|---|---|---|',
    ...rows(others),
    ...rows(projectFields, 'project.'),
    ...rows({ tasks }),
    ...rows(taskFields, 'tasks[].'),
  ].join('\n')
  const text = pageText(backlog)
  const written = text.replace(/(?<=<!-- begin fields:.*-->\n)[^]*?(?=<!-- end fields -->)/, () => `\n${table}\n\n`)
  await expect(written).toMatchFileSnapshot(join(root, backlog))
  const told = [...text.matchAll(/^\| `(\w+)` \| ((?:`[\w-]+`(?:, )?)*) ?\|/gm)]
  const words = told
    .filter(([, status]) => sourceStatuses.some((each) => each === status))
    .flatMap(([, status = '', other = '']) => [status, ...namesIn(other)].map((word) => [word, status]))
  expect(Object.fromEntries(words)).toEqual(Object.fromEntries(statusWords.map((word) => [word, statusOf(word)])))
})

test('D7: docs/guides/hooks.md can be followed, and says what its hooks hear', async () => {
  const page = 'docs/guides/hooks.md'
  const { project } = await followed(page)
  const lines = (text: string): string[] => text.trim().split('\n')
  expect(lines(project.read('heard.txt'))).toEqual(
    lines(blocksOf(page).find(({ text }) => text.startsWith('postIteration'))?.text ?? ''),
  )
  const told = lines(project.read('heard.jsonl')).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(told.map(({ hook }) => hook)).toEqual(['postIteration', 'onLimit', 'postIteration', 'onEnd'])
  expect(told[0]).toEqual({
    hook: 'postIteration',
    args: ['T001', 'done', 'iter-1'],
    title: '001-backlog: T001 done',
    text: 'made T001',
  })
  expect(project.read('.looper/runs/001-backlog/hooks.log')).toContain('./notify.sh')
  const { hooks, notify } = loadConfig({ root: project.root, env: {}, home: project.root }).config
  const named = new Set([...pageText(page).matchAll(/`(?:hooks|notify)\.(\w+)`/g)].map(([, name]) => name))
  expect(Object.keys(notify).filter((key) => !named.has(key))).toEqual([])
  expect(Object.keys(hooks).filter((key) => !pageText(page).includes(`\`${key}\``) && !named.has(key))).toEqual([])
})

test('E7 E8 F12 F13 F14 F16: docs/guides/convergence.md can be followed, and shows what is seen', async () => {
  const page = 'docs/guides/convergence.md'
  const done = await followed(page)
  const seen = new Set(done.said.flatMap(({ output }) => output.split('\n')))
  const shown = blocksOf(page)
    .filter(({ language }) => language === '')
    .flatMap(({ text }) => text.trimEnd().split('\n'))
  expect(shown.filter((line) => !seen.has(line))).toEqual([])
  expect(outputOf(done, 'looper status')).toContain(
    '\nchecks  red before the first task: test · flaky: random\nnotice  1 check red (test)\nkept    checkpoints C1, C2\n',
  )
  expect(outputOf(done, 'looper report')).toMatch(
    /New tests: they fail without the change[^]*\*\*BLOCKER, fixed since\*\* T001: the base's tests fail with this change/,
  )
  expect(outputOf(done, 'looper status 1')).toMatch(/ · rolled back once\n[^]*\nkept    checkpoint C1\n/)
  expect(done.project.git('for-each-ref', '--format=%(refname)', 'refs/looper/001-say-hello')).toMatch(
    /checkpoints\/C3\n[^]*set-aside\/1/,
  )
  expect(outputOf(done, 'looper fork 1 --at C1')).toContain('1 of 2 tasks done')
})

test('F13: docs/guides/convergence.md has every kind of finding, and no word that does not license it', () => {
  const finding = /^- `([\w-]+)`: (?:(?!^- )[^])*?^ {2}- allowed by: (.*)$/gm
  const rows = [...pageText('docs/guides/convergence.md').matchAll(finding)].map(([, kind, how]) => ({ kind, how }))
  expect(rows.map(({ kind }) => kind)).toEqual([...tamperKinds])
  const left = rows.flatMap(({ kind, how = '' }) => {
    const [verbs = '', nouns = ''] = how.split(' … ')
    const texts = verbs.split(', ').flatMap((verb) => nouns.split(/, | or /).map((noun) => `${verb} ${noun}`))
    const finding = { kind: kind as TamperKind, file: 'a', test: null, detail: '' }
    return texts
      .filter((title) => how !== 'never' && unlicensed([title], [finding]).length > 0)
      .map((title) => `${kind}: ${title}`)
  })
  expect(left).toEqual([])
})

test('D1 D8 D10: docs/guides/coming-from-looper-go.md can be followed', async () => {
  const done = await followed('docs/guides/coming-from-looper-go.md')
  expect(todo(done)).toMatchObject({
    tasks: [
      { id: 'T001', status: 'done', mine: true, steps: ['Take a name', 'Put it in'] },
      { id: 'T002', status: 'done' },
    ],
  })
  expect(done.project.read('T002.txt')).not.toBe('')
  expect(outputOf(done, 'looper logs --json -n 20')).toContain('"type":"summary"')
})

test('C1 C3 C6 C9: docs/guides/coming-from-loop-agents.md can be followed', async () => {
  const done = await followed('docs/guides/coming-from-loop-agents.md')
  expect(outputOf(done, 'looper pipeline ls')).toMatch(/polish[^]*project[^]*both/)
  expect(outputOf(done, 'looper status auth')).toContain('completed')
  expect(prompts(done)).toContain('Session auth, iteration 2. Read ')
  expect(outputOf(done, 'looper import .claude/pipeline-runs/auth --dry-run')).toContain('Stage beads of auth')
  expect(JSON.parse(done.project.read('.beads/stand-in.json'))).toMatchObject({
    issues: [{ id: 'bd-1', status: 'closed' }],
  })
})

test('A3 A7 A10: docs/guides/coming-from-claude-looper.md can be followed', async () => {
  const done = await followed('docs/guides/coming-from-claude-looper.md')
  expect(outputOf(done, 'looper report')).toContain('COMPLETED')
  expect(todo(done)).toMatchObject({
    tasks: [
      { title: 'Make the model', status: 'done' },
      { title: 'Add the form', status: 'done', criteria: ['npm test passes'], depends_on: ['task-1'] },
    ],
  })
})

test('C4 C7 D2: the other ways to work of README.md can be gone', async () => {
  const done = await followed('README.md', { 'plan.md': '- [ ] Say hello\n- [x] Say nothing\n' })
  expect(todo(done)).toMatchObject({ tasks: [{ title: 'Say hello', status: 'done' }, { status: 'done' }] })
  expect(outputOf(done, 'looper attach ideas')).toContain('idea-wizard 2/2')
})

test('docs/guides/command-agents.md shows an agent that can take every role', async () => {
  const project = createProject()
  onTestFinished(() => project.remove())
  const blocks = blocksOf('docs/guides/command-agents.md')
  const firstIn = (wanted: string): string => blocks.find(({ language }) => language === wanted)?.text ?? ''
  project.write('agent.mjs', firstIn('js'))
  project.write('.looper/config.json', firstIn('jsonc'))
  for (const line of [
    ['run', 'say hello'],
    ['run', '--workflow', 'backlog', 'say hello'],
    ['refine', 'quick'],
  ]) {
    const ended = await project.looper(...line, '--check', 'true')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
  }
})

/** A file as it is in a project. */
function configured(text: string): ReturnType<typeof loadConfig> {
  const folder = mkdtempSync(join(tmpdir(), 'looper-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '.looper'))
  writeFileSync(join(folder, '.looper/config.json'), text)
  return loadConfig({ root: folder, env: {}, home: folder, flags: {} })
}
const configurations = (page: string): string[] =>
  blocksOf(page)
    .filter(({ language, file }) => language === 'jsonc' && file === null)
    .map(({ text }) => text)

test('D6 A10: configurations of other tools mean what their guides say', () => {
  const [go, looper] = [coming[0] ?? '', coming[2] ?? ''].map((page) => configurations(page).map(configured)[0])
  expect(go?.config).toMatchObject({
    limits: { iterations: 50 },
    schedule: 'odd-even',
    rotation: ['codex', 'claude'],
    roles: { planner: { agent: 'claude' } },
    backlog: 'to-do.json',
    hooks: { postIteration: ['./notify.sh'] },
    agents: { codex: { bin: 'codex', model: 'gpt-5', timeoutMinutes: 30 } },
  })
  expect(go?.warnings).toEqual([expect.stringContaining('loop_delay_seconds')])
  expect(looper?.config).toMatchObject({ limits: { fixCycles: 2, timeMinutes: 60 }, thresholds: { approve: 80 } })
  expect(looper?.warnings).toEqual([])
})

test.each(coming)('D6: the tables of %s say of each name what it means', (page) => {
  const tool = page.replace(/.*from-(.*)\.md/, '$1')
  const known = aliases.filter((alias) => alias.tool === tool)
  const rows = [...pageText(page).matchAll(/^\| ((?:`[\w.]+`(?:, )?)+)[^|]* \| ([^|]*)\|/gm)]
  const told = rows.flatMap(([, names = '', meaning = '']) => namesIn(names).map((name) => ({ name, meaning })))
  for (const { name, meaning } of told.filter((each) => known.some((alias) => alias.name === each.name))) {
    const keys = known.flatMap((alias) => (alias.name === name && 'key' in alias.means ? [alias.means.key] : []))
    expect({ name, told: keys.every((key) => meaning.includes(`\`${key}\``)) }).toEqual({ name, told: true })
  }
  const variables = told.filter(({ name }) => name.startsWith('LOOPER_')).map(({ name }) => name)
  expect(variables.filter((name) => !known.some((alias) => alias.name === name))).toEqual([])
})

test('every file that a guide links to exists', () => {
  for (const page of [
    backlog,
    ...coming,
    'README.md',
    'ARCHITECTURE.md',
    'docs/guides/pipelines.md',
    'docs/guides/task-sources.md',
    'docs/guides/convergence.md',
  ]) {
    const links = [...pageText(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path)
    for (const path of links) expect(existsSync(resolve(root, page, '..', path)), `${page}: ${path}`).toBe(true)
  }
})

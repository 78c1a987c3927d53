/** Guides are followed to the letter: their files are written, their lines typed, in a real repository. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sourceStatuses } from '../../src/model/source.ts'
import { projectFields, rootFields, taskFields, type Field } from '../../src/sources/todo-file/fields.ts'
import { statusOf, statusWords } from '../../src/sources/todo-file/status.ts'
import { follow, pageText, type Followed } from '../kit/guide.ts'

const root = resolve(import.meta.dirname, '../..')
const backlog = 'docs/guides/backlog.md'

/** Every line ended as its page says. */
async function followed(page: string, options: Parameters<typeof follow>[1] = {}): Promise<Followed> {
  const result = await follow(page, options)
  onTestFinished(() => result.project.remove())
  return result
}

const prompts = ({ project }: Followed): string => readFileSync(join(project.notes, 'prompts'), 'utf8')

test('D1 D3 D7 D9: docs/guides/backlog.md can be followed', async () => {
  const done = await followed(backlog)
  const { project, said } = done
  expect(said.map(({ line, exit, output }) => ({ line, exit, ...(exit === 0 ? {} : { output }) })).filter(({ exit }) => exit !== 0)).toEqual([])
  expect(said.at(-1)?.line).toBe('looper run --in-place')
  expect(project.git('ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(expect.arrayContaining(['T001.txt', 'T002.txt', 'T003.txt']))
  expect(project.read('hooks.txt')).toBe('postIteration T004 done\nonEnd 004-backlog completed\n')
  expect(prompts(done)).toContain('British spelling.')
  expect(JSON.parse(project.read('to-do.json'))).toMatchObject({ tasks: [{ id: 'T004', status: 'done' }], completed: { run: '004-backlog' } })
  expect(said.find(({ line }) => line === 'looper ls')?.output).toMatch(/T001[^]*T002[^]*T003/)
})

test('D1: docs/guides/backlog.md has the fields and the statuses of the code', async () => {
  const rows = (fields: Record<string, Field>, prefix = ''): string[] =>
    Object.entries(fields).map(([name, { about, required }]) => `| \`${prefix}${name}\` | ${required ? 'yes' : ''} | ${about} |`)
  const { $schema: _schema, tasks, ...others } = rootFields
  const table = ['| field | needed | meaning |', '|---|---|---|', ...rows(others), ...rows(projectFields, 'project.'), ...rows({ tasks }), ...rows(taskFields, 'tasks[].')]
  const text = pageText(backlog)
  const written = text.replace(/(<!-- begin fields:.*-->\n)[^]*?(<!-- end fields -->)/, (_, begin: string, end: string) => `${begin}\n${table.join('\n')}\n\n${end}`)
  await expect(written).toMatchFileSnapshot(join(root, backlog))
  const told = [...text.matchAll(/^\| `(\w+)` \| ((?:`[\w-]+`(?:, )?)*) ?\|/gm)].filter(([, status]) => sourceStatuses.some((each) => each === status))
  const words = told.flatMap(([, status = '', others = '']) => [status, ...[...others.matchAll(/`([\w-]+)`/g)].map(([, word = '']) => word)].map((word) => [word, status]))
  expect(Object.fromEntries(words)).toEqual(Object.fromEntries(statusWords.map((word) => [word, statusOf(word)])))
})

test('every file that a guide links to exists', () => {
  for (const page of [backlog, 'README.md', 'ARCHITECTURE.md', 'docs/guides/pipelines.md', 'docs/guides/task-sources.md']) {
    const links = [...pageText(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path)
    for (const path of links) expect(existsSync(resolve(root, page, '..', path)), `${page}: ${path}`).toBe(true)
  }
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ImportReport, ImportRequest } from '../../api/backlog.ts'
import type { AppContext } from '../context.ts'
import { importTasks } from './import.ts'

let root: string
let env: NodeJS.ProcessEnv
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'looper-import-')))
  mkdirSync(join(root, '.git'))
  env = { PATH: process.env['PATH'] }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, content: string | object): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}
const context = (): AppContext => ({ cwd: root, env, home: join(root, 'home'), packageFolder: '', version: '' })
const bring = (path: string, more: Partial<ImportRequest> = {}): Promise<ImportReport> =>
  importTasks(context(), { from: { kind: 'path', path }, label: null, into: null, dryRun: false, ...more })
const text = (): string => readFileSync(join(root, 'to-do.json'), 'utf8')

const plan = '# Plan\n\n## Auth\n- [ ] Add login\n  - [x] Model\n  - [ ] Routes\n- [ ] Log out (after T001)\n'

describe('what cannot be imported', () => {
  test.each<[string, Record<string, string | object>, string, string, RegExp]>([
    ['nothing', {}, 'gone.md', 'USAGE_ARGUMENTS', /no file or folder "gone\.md"/],
    ['an empty folder', { 'empty/x': '' }, 'empty', 'USAGE_ARGUMENTS', /"empty" contains nothing/],
    [
      'two plans',
      { '.loop/001-a/plan.md': plan, '.loop/002-b/plan.md': plan },
      '.',
      'USAGE_ARGUMENTS',
      /several things to import: \.loop\/001-a\/plan\.md, \.loop\/002-b\/plan\.md/,
    ],
    ['broken JSON', { 'x.json': '{\n "tasks": [\n' }, 'x.json', 'CONFIG_BACKLOG', /^x\.json: line 3, column 1: /],
    ['no boxes', { 'x.md': '# Hi' }, 'x.md', 'CONFIG_BACKLOG', /^x\.md: it has no check boxes/],
    [
      'a circle',
      { 'x.md': '- [ ] T1: One (after T2)\n- [ ] T2: Two (after T1)' },
      'x.md',
      'CONFIG_BACKLOG',
      /wait for each other: T1 → T2 → T1/,
    ],
    [
      'a broken backlog',
      { 'x.md': plan, 'to-do.json': '{ "tasks": [ }' },
      'x.md',
      'CONFIG_BACKLOG',
      /^to-do\.json:1:14/,
    ],
    [
      'a backlog that is none',
      { 'x.md': plan, 'to-do.json': '{ "tasks": [ { "id": "T1" } ] }' },
      'x.md',
      'CONFIG_BACKLOG',
      /^to-do\.json:1:14.*title/,
    ],
  ])('%s', async (_, files, path, code, message) => {
    for (const [name, content] of Object.entries(files)) put(name, content)
    await expect(bring(path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    if (files['to-do.json'] === undefined) expect(() => text()).toThrow(/ENOENT/)
    else expect(text()).toBe(files['to-do.json'])
  })

  test('what is no text, too long, or leads nowhere', async () => {
    writeFileSync(join(root, 'latin'), Buffer.from([0x2d, 0x20, 0xe4]))
    await expect(bring('latin')).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: 'latin: it is not UTF-8 text',
    })
    writeFileSync(join(root, 'long'), Buffer.alloc(65 * 1024 * 1024, ' '))
    await expect(bring('long')).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: 'long: it is larger than 64 MB',
    })
    symlinkSync('circle', join(root, 'circle'))
    await expect(bring('circle')).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    execFileSync('mkfifo', [join(root, 'pipe')])
    await expect(bring('pipe')).rejects.toMatchObject({ code: 'CONFIG_BACKLOG', message: 'pipe: it is not a file' })
    await expect(bring('/dev/null')).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: expect.stringContaining('not a file'),
    })
  })

  test('is an outage when bd is not there', async () => {
    env['PATH'] = join(root, 'nowhere')
    await expect(bring('', { from: { kind: 'beads' } })).rejects.toMatchObject({
      code: 'ENVIRONMENT_SOURCE',
      hint: expect.stringContaining('Install beads'),
    })
  })
})

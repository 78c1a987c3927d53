/**
 * The file of the backlog as people keep it and the commands read it: any layout, any place, and any damage with its
 * line and column.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { backlogWorker } from '../kit/backlog-agent.ts'
import { call, projects } from '../kit/outside.ts'
import type { Ended, Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const tasks = [
  { id: 'T2', title: 'second', status: 'todo', depends_on: ['T10'], priority: 2, mine: 1.5 },
  { id: 'T10', title: 'tenth', status: 'doing' },
  { id: 'T9', title: 'ninth\u001B[2J', status: 'completed' },
]
const withBacklog = (content: unknown = { tasks }): Project => {
  const project = create()
  project.write('to-do.json', typeof content === 'string' ? content : JSON.stringify(content))
  return project
}
const rows = ({ code, stdout, stderr }: Ended): { id: string; status: string }[] => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as { id: string; status: string }[]
}

describe('looper ls', () => {
  test('D10: the backlog by status; a run by its id', async () => {
    const project = withBacklog()
    const shown = '● T10  tenth\n○ T2   second  priority 2 · after T10\n✓ T9   ninth\n\n1 doing · 1 todo · 1 done\n'
    expect(await project.looper('ls')).toEqual({ code: 0, stderr: '', stdout: shown })
    expect(rows(await project.looper('ls', '--json'))).toMatchObject([
      { id: 'T10', title: 'tenth', status: 'doing', priority: 3, dependsOn: [] },
      { id: 'T2', status: 'todo', dependsOn: ['T10'] },
      { id: 'T9', status: 'done' },
    ])
    expect(rows(await project.looper('ls', '--status', 'todo', '--json')).map(({ id }) => id)).toEqual(['T2'])
    expect(await project.looper('run', 'do it', '--no-review', '--no-color')).toMatchObject({ code: 0 })
    expect(rows(await project.looper('ls', '--json')).map(({ id }) => id)).toEqual(['T10', 'T2', 'T9'])
    expect(rows(await project.looper('ls', '1', '--json')).map(({ id }) => id)).toEqual(['T001', 'T002'])
    rmSync(join(project.root, 'to-do.json'))
    expect(rows(await project.looper('ls', '--json')).map(({ id }) => id)).toEqual(['T001', 'T002'])
    project.write('to-do.json', '{ "things": "of another program" }')
    expect(rows(await project.looper('ls', '--json')).map(({ id }) => id)).toEqual(['T001', 'T002'])
  })

  test('D6: the file is where the configuration says', async () => {
    const project = withBacklog()
    const named = (file: string): void => project.write(file, JSON.stringify({ tasks: [{ id: file, title: 'x' }] }))
    for (const file of ['a.json', 'work/b.json', 'c.json']) named(file)
    mkdirSync(join(project.root, 'below'))
    const first = async (
      env: Record<string, string> = {},
      args: string[] = [],
      cwd = project.root,
    ): Promise<string | undefined> => rows(await call(project, ['ls', '--json', ...args], { env, cwd }))[0]?.id
    expect(await first()).toBe('T10')
    project.configure({ backlog: 'work/b.json' })
    expect(await first()).toBe('work/b.json')
    expect(await first({}, [], join(project.root, 'below'))).toBe('work/b.json')
    expect(await first({ LOOPER_TODO: 'c.json' })).toBe('c.json')
    expect(await first({ LOOPER_TODO: 'c.json', LOOPER_BACKLOG: 'a.json' })).toBe('a.json')
    expect(await first({ LOOPER_BACKLOG: 'a.json' }, ['--backlog', '../c.json'], join(project.root, 'below'))).toBe(
      'c.json',
    )
    project.configure({ backlog: 5 })
    const refused = expect.stringMatching(/^looper: \.looper\/config\.json: "backlog" must be /) as string
    expect(await project.looper('ls')).toMatchObject({ code: 2, stderr: refused })
  })
})

describe('looper validate', () => {
  test('D2: exit 0, or 2 with every problem and its place', async () => {
    const project = withBacklog()
    expect(await project.looper('validate')).toEqual({ code: 0, stdout: 'to-do.json is valid: 3 tasks\n', stderr: '' })
    const lines = [
      '\uFEFF{',
      '  "tasks": [',
      '    { "id": 1, "title": "x" },',
      '    { "id": "T1", "title": "y", "depends_on": ["T1", "T5"] }',
      '  ]',
      '}',
      '',
    ]
    project.write('to-do.json', lines.join('\r\n'))
    const { code, stdout } = await project.looper('validate')
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: `to-do.json:3:13: tasks[0].id must be a text of one line, at most 100 characters, without spaces around it, not 1
to-do.json:4:48: tasks[1].depends_on[0] is the task itself: "T1"
to-do.json:4:54: tasks[1].depends_on[1] names no task: "T5"

3 problems
`,
    })
    expect(JSON.parse((await project.looper('validate', '--json')).stdout)).toMatchObject([
      { kind: 'schema', path: 'tasks[0].id', line: 3, column: 13 },
      { kind: 'circle' },
      { kind: 'missing-dependency', path: 'tasks[1].depends_on[1]', line: 4, column: 54 },
    ])
    project.write('to-do.json', '{\n  "tasks": [,]\n}')
    const broken = 'to-do.json:2:13: expected a value, found ","\n\n1 problem\n'
    expect(await project.looper('validate')).toEqual({ code: 2, stdout: broken, stderr: '' })
  })

  test('D2: an id that a run could not use is reported by both, before and in the run, with why', async () => {
    const project = withBacklog('{\n  "tasks": [\n    { "id": "main", "title": "x" }\n  ]\n}')
    const told =
      'to-do.json:3:13: tasks[0].id cannot be used in a run: "main"; Looper uses that name itself\n\n1 problem\n'
    expect(await project.looper('validate')).toEqual({ code: 2, stdout: told, stderr: '' })
    expect(JSON.parse((await project.looper('validate', '--json')).stdout)).toMatchObject([
      { kind: 'unusable-id', line: 3, column: 13 },
    ])
    expect(rows(await project.looper('ls', '--json')).map(({ id }) => id)).toEqual(['main'])
    const ended = await project.looper('run', '--quiet')
    expect(ended).toMatchObject({ code: 3 })
    expect((await project.status()).reason).toContain('the id "main" cannot be used: Looper uses that name itself')
  })

  test('a backlog needs no repository', async () => {
    const project = withBacklog()
    const outside = dirname(project.root)
    const there = await call(project, ['validate', 'repo/to-do.json'], { cwd: outside })
    expect(there).toMatchObject({ code: 0, stdout: 'repo/to-do.json is valid: 3 tasks\n' })
    const refused = expect.stringMatching(/^looper: (?:to-do|none)\.json: there is no such file\n {2}.+\n$/) as string
    expect(await call(project, ['validate'], { cwd: outside })).toMatchObject({ code: 2, stdout: '', stderr: refused })
    expect(await call(project, ['validate', 'none.json'])).toMatchObject({ code: 2, stdout: '', stderr: refused })
  })
})

describe('looper fmt', () => {
  test('accepts what a run has written into a formatted file', async () => {
    const project = create({ agent: backlogWorker, config: { review: false, checks: ['true'] } })
    project.write(
      'to-do.json',
      JSON.stringify({
        tasks: [
          { id: 'T1', title: 'one', tags: ['a'] },
          { id: 'T2', title: 'two', depends_on: ['T1'] },
        ],
      }),
    )
    expect(await project.looper('fmt', '-w')).toMatchObject({ code: 0 })
    expect(await project.looper('run', '--workflow', 'backlog')).toMatchObject({ code: 0 })
    expect(JSON.parse(project.read('to-do.json'))).toMatchObject({ tasks: [{ status: 'done' }, { status: 'done' }] })
    expect(await project.looper('fmt', '--check', '-d')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('D10: prints, checks, shows the difference, writes', async () => {
    const project = withBacklog('\uFEFF{"tasks": [{"title": "x", "id": "T1",\r\n "mine": 1.50}]}')
    const before = readFileSync(join(project.root, 'to-do.json'))
    const canonical =
      '{\n  "tasks": [\n    {\n      "id": "T1",\n      "title": "x",\n      "mine": 1.50\n    }\n  ]\n}\n'
    expect(await project.looper('fmt')).toEqual({ code: 0, stdout: canonical, stderr: '' })
    expect(await project.looper('fmt', '--check')).toMatchObject({ code: 1 })
    const { stdout: diff } = await project.looper('fmt', '-d')
    expect(diff).toMatch(/^--- to-do\.json\n\+\+\+ to-do\.json \(formatted\)\n@@ -1,2 \+1,9 @@\n-/)
    expect(diff).toContain('\n+      "mine": 1.50\n')
    expect(readFileSync(join(project.root, 'to-do.json'))).toEqual(before)
    writeFileSync(join(project.root, 'patch'), diff)
    execFileSync('patch', ['--binary', '--posix', 'to-do.json', 'patch'], { cwd: project.root })
    expect(project.read('to-do.json')).toBe(canonical)
    writeFileSync(join(project.root, 'to-do.json'), before)

    chmodSync(join(project.root, 'to-do.json'), 0o600)
    expect(await project.looper('fmt', '-w')).toMatchObject({ code: 0, stdout: 'to-do.json formatted\n' })
    expect(project.read('to-do.json')).toBe(canonical)
    expect(statSync(join(project.root, 'to-do.json')).mode & 0o777).toBe(0o600)
    expect(await project.looper('fmt', '--check')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await project.looper('fmt', '-w')).toMatchObject({ code: 0, stdout: 'to-do.json is formatted already\n' })
    expect(readdirSync(project.root).filter((name) => name.includes('tmp'))).toEqual([])
  })
})

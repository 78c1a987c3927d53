/**
 * The file of the backlog as people keep it and the commands read it: any layout, any place, and any damage with its
 * line and column.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { backlogWorker } from '../kit/backlog-agent.ts'
import { call, obeyed, projects } from '../kit/outside.ts'
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

  test('D2: an id that a run could not use is told by both, before and in the run, with why', async () => {
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

describe('a file that is no backlog', () => {
  const path = (project: Project): string => join(project.root, 'to-do.json')
  // Root reads everything, unless it gives that up.
  const meek: [string, ...string[]] =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [process.execPath]
  const content =
    (text: string | Buffer) =>
    (project: Project): void =>
      writeFileSync(path(project), text)
  const cases: [name: string, make: (project: Project) => void, told: string][] = [
    ['broken JSON', content('{\r\n  "tasks": [\r\n    { "id": "T1", }\r\n'), ':3:17: a comma before "}"'],
    ['a broken one with a byte order mark', content('\uFEFF{x'), ':1:2: expected a key in double quotes, found "x"'],
    ['nothing in it', content(''), ':1:1: expected a value, found end of file'],
    [
      'more than 100 MB',
      (project) => {
        content('{')(project)
        truncateSync(path(project), 101 * 1024 * 1024)
      },
      ': is larger than 100 MB',
    ],
    [
      'a link in a circle',
      (project) => symlinkSync('to-do.json', path(project)),
      ': is a symbolic link that leads in a circle',
    ],
    [
      'a link to nothing',
      (project) => symlinkSync('gone.json', path(project)),
      ': is a symbolic link to a file that does not exist',
    ],
    [
      'without read permission',
      (project) => {
        content('{"tasks": []}')(project)
        chmodSync(path(project), 0)
      },
      ': cannot be read: permission denied',
    ],
    ['a folder', (project) => mkdirSync(path(project)), ': is a folder, not a file'],
    ['a pipe', (project) => void execFileSync('mkfifo', [path(project)]), ': is not a regular file'],
    ['binary', content(Buffer.from([0x7b, 0xff, 0x7d])), ': is not UTF-8 text'],
    ['nested without end', content('{"tasks":'.repeat(50_000)), ':1:901: more than 100 levels deep'],
    ['no list', content('{"tasks": "x\\u001b[2J"}'), ':1:11: tasks must be a list of tasks, not "x\\u001b[2J"'],
  ]
  test.each(cases)('%s: one clear line, and the file as it was', async (name, make, told) => {
    const project = create()
    make(project)
    const { mtimeMs, ctimeMs } = lstatSync(path(project))
    for (const args of [['ls'], ['fmt', '-w']]) {
      // What is no list of tasks can still be formatted.
      if (name === 'no list' && args[0] === 'fmt') continue
      const { code, stdout, stderr } = await project.looperThrough(meek, ...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.split('\n')).toEqual([`looper: to-do.json${told}`, expect.stringMatching(/^ {2}\S/), ''])
    }
    const { code, stdout, stderr } = await project.looperThrough(meek, 'validate')
    expect(code).toBe(2)
    expect(`${stdout}${stderr.replace('looper: ', '')}`.split('\n')[0]).toBe(`to-do.json${told}`)
    expect(lstatSync(path(project))).toMatchObject({ mtimeMs, ctimeMs })
  })

  test.each(cases)('%s: a run rests and says why, and the file is as it was', async (name, make, told) => {
    const project = create({ agent: 'answer({ useless: true })' })
    make(project)
    const { mtimeMs, ctimeMs } = lstatSync(path(project))
    const { code, stdout } = await project.looperThrough(meek, 'run', '--workflow', 'backlog', 'do it', '--no-color')
    // A planner can repair a text file and write an empty one; this planner does neither.
    if (name === 'nothing in it')
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('failed · no backlog') as string })
    else
      expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringMatching(/paused · .*to-do\.json/) as string })
    if (name !== 'nothing in it') expect(stdout).toContain(`to-do.json${told}`)
    expect(lstatSync(path(project))).toMatchObject({ mtimeMs, ctimeMs })
  })

  test.each([
    [
      'two tasks of one id',
      '{"tasks": [\n{"id": "T1", "title": "x"},\n{"id": "T1", "title": "y"}]}',
      ':3:8: tasks[1].id repeats "T1", the id of tasks[0]',
    ],
    [
      'a circle',
      '{"tasks": [\n{"id": "T1", "title": "x", "depends_on": ["T2"]},\n{"id": "T2", "title": "y", "depends_on": ["T1"]}]}',
      ':3:43: tasks[1].depends_on[0] closes a circle: "T1" → "T2" → "T1"',
    ],
  ])('%s: told with its place, and the file as it was', async (_name, text, told) => {
    const project = create({ agent: "note('prompts', prompt); answer({ useless: true })" })
    content(text)(project)
    expect(await project.looper('validate')).toMatchObject({ code: 2, stdout: `to-do.json${told}\n\n1 problem\n` })
    expect(await project.looper('run', '--no-color')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`paused · to-do.json${told}`) as string,
    })
    // The planner that is to repair it saw the problem.
    expect(readFileSync(join(project.notes, 'prompts'), 'utf8')).toContain(told.slice(told.indexOf('tasks[')))
    expect(project.read('to-do.json')).toBe(text)
  })

  test('a byte order mark and line ends of Windows are no damage: they stay when the run writes', async () => {
    const worker = `if (role === 'iterator') { if (purpose === 'iterate') write('made.txt', 'x'); answer({ task_id: task || null, status: 'done', summary: 'made', files: [] }) }`
    const project = create({ agent: worker })
    content('\uFEFF{\r\n  "tasks": [\r\n    { "id": "T1", "title": "x" }\r\n  ]\r\n}\r\n')(project)
    expect(await project.looper('validate')).toMatchObject({ code: 0 })
    expect(await project.looper('run')).toMatchObject({ code: 0 })
    const after = project.read('to-do.json')
    expect(after.startsWith('\uFEFF{\r\n')).toBe(true)
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(JSON.parse(after.slice(1))).toMatchObject({ tasks: [{ id: 'T1', status: 'done' }] })
  })

  test('escape sequences in it reach no terminal', async () => {
    const project = withBacklog({
      tasks: [{ id: '\u009B2J', title: 'x', status: '\u202Edone', depends_on: ['\u001B]0;x\u0007'] }],
    })
    for (const args of [['ls'], ['validate'], ['validate', '--json'], ['fmt', '-d', '--no-color']]) {
      const { stdout } = await call(project, args, { terminal: true })
      expect(obeyed(stdout.replaceAll('\r\n', '\n'))).toEqual([])
    }
  })
})

import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, obeyed, projects } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

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
    if (name !== 'nothing in it') {
      expect(stdout).toContain(`to-do.json${told}`)
      expect(stdout).not.toMatch(/^to-do\.json/m)
    }
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
  ])('%s: reported with its place, and the file as it was', async (_name, text, told) => {
    const project = create({ agent: "note('prompts', prompt); answer({ useless: true })" })
    content(text)(project)
    expect(await project.looper('validate')).toMatchObject({ code: 2, stdout: `to-do.json${told}\n\n1 problem\n` })
    expect(await project.looper('run', '--no-color')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`left alone: to-do.json${told}`) as string,
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

/** Agents misbehave: the attempt fails with the right kind, the run goes on, and nothing survives. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  failures,
  identifying,
  lives,
  notes,
  noting,
  removeAll,
  shellIdentity,
  starts,
  survivors,
} from '../kit/live.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

const branch = 'looper/001-make-two-files'
const quick = { review: false, checks: ['true'] }

let project: Project
afterEach(() => removeAll(project))

describe('an agent that', () => {
  const turnsOf = (task: string): string[] => starts(project).filter((turn) => turn.startsWith(`${task}/`))

  const garbage = `fs.writeFileSync(env.LOOPER_RESULT_FILE, '\\u0000{{]'); console.log('\\u001b[31m{"status": complete}')`

  test.each([
    ['exits 1', 'process.exit(1)', 'crash', 'retry'],
    ['is killed', `process.kill(process.pid, 'SIGKILL'); await sleep(1e6)`, 'crash', 'retry'],
    ['writes garbage', `${garbage}; process.exit(0)`, 'bad_response', 'repair'],
    ['writes nothing', 'process.exit(0)', 'bad_response', 'repair'],
    ['writes JSON that is no result', `answer({ status: 'splendid' }); process.exit(0)`, 'bad_response', 'repair'],
    [
      'floods its output',
      `const flood = Buffer.alloc(1 << 20, 'x'); for (;;) fs.writeSync(1, flood)`,
      'bad_response',
      'retry',
    ],
  ])(
    '%s fails its attempt with the right kind, and the run goes on',
    { timeout: 600_000 },
    async (_, misdeed, kind, second) => {
      const agent = `${noting} if (task === 'T001' && attempt === 1) { write('half.txt', ''); ${misdeed} }\n${cooperative}`
      project = createProject({ agent, config: quick })
      const { code, stdout, stderr } = await project.looper('run', 'make two files')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(failures(project)).toEqual([kind])
      expect(turnsOf('T001')).toEqual(['T001/a1/implement', `T001/a1/implement.${second}`, 'T001/a2/implement'])
      const tasks = [
        { id: 'T001', status: 'done', attempts: 2 },
        { id: 'T002', status: 'done', attempts: 1 },
      ]
      expect(await project.status()).toMatchObject({ status: 'completed', tasks })
      expect(project.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual([
        'README.md',
        'T001.txt',
        'T002.txt',
      ])
      expect(survivors(project)).toEqual([])
      expect(stdout).not.toContain('\u001B')
    },
  )

  test('hangs is ended after its silence, with what it started', { timeout: 600_000 }, async () => {
    project = createProject({ agent: `${noting}${cooperative}` })
    const hanging = `if test "$LOOPER_TASK$LOOPER_ATTEMPT" = T0011; then echo ${shellIdentity} >> "$NOTES/hanging"; while :; do sleep 0.05; done; fi
echo "$LOOPER_TASK" > "$LOOPER_TASK.txt"; echo '{"status":"complete","summary":"did it"}' > "$LOOPER_RESULT_FILE"`
    project.configure({
      ...quick,
      agent: 'test',
      roles: { coder: { agent: 'hanging' } },
      agents: {
        test: { command: [process.execPath, join(project.notes, '../agent.mjs')], env: { NOTES: project.notes } },
        hanging: { command: ['sh', '-c', hanging], env: { NOTES: project.notes }, stallSeconds: 1 },
      },
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(failures(project)).toEqual(['stalled'])
    expect(notes(project, 'hanging').filter(lives)).toEqual([])
    expect(survivors(project)).toEqual([])
  })

  test('leaves background children, some in sessions of their own: none survives its turn', async () => {
    const child = `for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => {})
const fs = require('node:fs')
${identifying}
fs.appendFileSync(process.env.NOTES + '/children', identity() + '\\n')
setInterval(() => {}, 1000)`
    project = createProject({
      agent: `${noting}
import { spawn } from 'node:child_process'
if (task === 'T001') {
  for (const detached of [true, false]) spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached, stdio: 'ignore' }).unref()
  spawn('setsid', ['sh', '-c', 'echo ${shellIdentity} >> "$NOTES/children"; while :; do sleep 1; done'], { stdio: 'inherit' }).unref()
  while (read('children').length < 3) await sleep(10)
}
const alive = (line) => {
  const pid = line.split(' ')[0]
  try { return !/\\) [ZX] /.test(fs.readFileSync('/proc/' + pid + '/stat', 'utf8')) && identity(pid) === line } catch { return false }
}
if (task === 'T002') note('alive', read('children').filter(alive).length)
${cooperative}
process.exit(0)`,
      config: quick,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(notes(project, 'children')).toHaveLength(3)
    expect(notes(project, 'children').filter(lives)).toEqual([])
    if (existsSync('/proc/self/stat')) expect(notes(project, 'alive')).toEqual(['0'])
    expect(survivors(project)).toEqual([])
    expect(failures(project)).toEqual([])
  })

  test('is always broken fails the run: exit 1, every reason reported', async () => {
    const agent = `${noting} if (task === 'T001') process.exit(1)\n${cooperative}`
    project = createProject({ agent, config: { ...quick, limits: { attempts: 2, goalIterations: 1 } } })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(1)
    expect(stdout).toContain('failed')
    const tasks = [{ status: 'failed', attempts: 3 }, { status: 'todo' }]
    expect(await project.status()).toMatchObject({ status: 'failed', reason: expect.stringContaining('T001'), tasks })
    expect(turnsOf('T002')).toEqual([])
    expect(survivors(project)).toEqual([])
  })
})

/** People stop, pause, abort and steer runs, and agents misbehave: the run does what was asked, goes on, and nothing survives. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'
import { eventsSoFar, follow, go, held, isRunning, landed, notes, noting, pidOf, removeAll, starts, survivors, until, type Process } from '../kit/live.ts'

const branch = 'looper/001-make-two-files'
const quick = { review: false, checks: ['true'] }

let project: Project
afterEach(() => removeAll(project))

const begin = (): Process => follow(project.start('run', 'make two files'))

/** Its first coder waits until the test lets it go on; `before` is what else it does first. */
const waiting = (before = ''): string => `${noting}
if (task === 'T001' && !fs.existsSync(path.join(env.NOTES, 'coder.go'))) { ${before}; write('half.txt', 'half'); await hold('coder'); fs.rmSync('half.txt') }
${cooperative}`

const onSignals = (...signals: string[]): string => signals.map((signal) => `process.on('${signal}', () => note('signals', '${signal}'))`).join(';')

async function completes(): Promise<void> {
  go(project, 'coder')
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(project.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual(['README.md', 'T001.txt', 'T002.txt'])
  expect(survivors(project)).toEqual([])
}

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s: the agent is asked to stop, the run pauses, exit 130, resume completes it', async (signal) => {
    project = createProject({ agent: waiting(`process.on('SIGINT', () => { note('signals', 'SIGINT'); process.exit(1) })`), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill(signal)
    const { code, stdout, stderr } = await looper.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(stdout).toContain('stopping…')
    expect(stdout).toContain('looper resume')
    expect(notes(project, 'signals')).toEqual(['SIGINT'])
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({
      status: 'paused', reason: 'stopped by the user', pause: { kind: 'user', hint: expect.stringContaining('looper resume') },
      tasks: [{ status: 'doing', attempts: 1 }, { status: 'todo' }],
    })
    await completes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(await project.status()).toMatchObject({ status: 'completed', reason: null, tasks: [{ attempts: 1 }, { attempts: 1 }] })
  })

  test('while the agent ignores what it is asked: it is killed in the end', async () => {
    project = createProject({ agent: waiting(onSignals('SIGINT', 'SIGTERM', 'SIGHUP')), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(notes(project, 'signals')).toEqual(['SIGINT', 'SIGTERM'])
    expect(survivors(project)).toEqual([])
    await completes()
  })

  test('twice: nobody is waited for', async () => {
    project = createProject({ agent: waiting(onSignals('SIGINT', 'SIGTERM', 'SIGHUP')), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    await until('the first request', () => notes(project, 'signals').length > 0)
    looper.kill('SIGINT')
    const { code, stdout, stderr } = await looper.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(stdout).toContain('stopping now')
    expect(notes(project, 'signals')).toEqual(['SIGINT'])
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({ status: 'paused', reason: 'stopped by the user' })
    await completes()
  })

  test('during a check: the check ends, and is run again after the resume', async () => {
    project = createProject({ agent: `${noting}${cooperative}` })
    const [begun, may] = [join(project.notes, 'checks'), join(project.notes, 'coder.go')]
    project.configure({ ...quick, checks: [`echo $$ >> '${begun}'; trap '' INT TERM; until test -e '${may}'; do sleep 0.02; done`] })
    const looper = begin()
    const [pid] = await until('a check', () => { const pids = notes(project, 'checks'); return pids.length > 0 && pids })
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(isRunning(Number(pid))).toBe(false)
    expect(survivors(project)).toEqual([])
    await completes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('during the set-up of a worktree, twice: it ends too', async () => {
    project = createProject({ agent: `${noting}${cooperative}` })
    const [begun, may] = [join(project.notes, 'setups'), join(project.notes, 'coder.go')]
    project.configure({ ...quick, workspace: { setup: [`echo $$ >> '${begun}'; until test -e '${may}'; do sleep 0.02; done`] } })
    const looper = begin()
    const [pid] = await until('a set-up', () => { const pids = notes(project, 'setups'); return pids.length > 0 && pids })
    looper.kill('SIGINT')
    await until('its being heard', () => looper.stdout().includes('stopping…'))
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(isRunning(Number(pid))).toBe(false)
    expect(survivors(project)).toEqual([])
    await completes()
  })

  test('at once after the start: paused, or nothing has begun', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await until('its first words', () => looper.stdout() !== '')
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(survivors(project)).toEqual([])
    await completes()
  })
})

describe('from another process', () => {
  test('looper stop: as the signal does', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    expect(await project.looper('stop')).toMatchObject({ code: 0, stderr: '' })
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'paused', reason: 'stopped by the user' })
    expect(survivors(project)).toEqual([])
    expect(await project.looper('stop')).toMatchObject({ code: 2, stderr: expect.stringContaining('001-make-two-files is not under way') })
    await completes()
  })

  test('looper pause: turns under way come to their end first, and nothing new begins', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    expect(await project.looper('pause')).toMatchObject({ code: 0, stderr: '' })
    await until('the request', () => eventsSoFar(project).some(({ type }) => type === 'stop.requested'))
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(true)
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    const events = eventsSoFar(project)
    expect(events.filter((event) => event.type === 'work.lost' && event.id.startsWith('T001'))).toEqual([])
    expect(events.some((event) => event.type === 'work.finished' && event.id === 'T001/a1/implement')).toBe(true)
    expect(await project.status()).toMatchObject({ status: 'paused', pause: { kind: 'user' } })
    await completes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('looper abort: the run ends for good, exit 1, and cannot be resumed', async () => {
    project = createProject({ agent: waiting(onSignals('SIGHUP')), config: quick })
    const looper = begin()
    await held(project, 'coder')
    expect(await project.looper('abort')).toMatchObject({ code: 0, stderr: '' })
    expect(await looper.ended).toMatchObject({ code: 1, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'aborted', reason: 'aborted by the user' })
    expect(survivors(project)).toEqual([])
    expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('aborted') })
  })

  test('looper abort of a paused run: it ends, and nothing more can be asked of it', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    await looper.ended
    expect(await project.looper('abort')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'aborted' })
    for (const words of [['resume'], ['abort'], ['task', 'add', 'x']]) {
      expect(await project.looper(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining('aborted') })
    }
  })
})

test('a run that was discarded after a task had landed is not gone on with', async () => {
  project = createProject({ agent: `${noting} if (task === 'T002') await hold('second')\n${cooperative}`, config: quick })
  const looper = begin()
  await held(project, 'second')
  looper.kill('SIGINT')
  await looper.ended
  expect(await project.looper('discard', '--yes')).toMatchObject({ code: 0, stderr: '' })
  go(project, 'second')
  expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('was discarded') })
  expect(project.git('branch', '--list', 'looper/*')).toBe('')
})

describe('steering', () => {
  const waitingTwo = `${noting}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two', dependsOn: ['T001'] }, { id: 'T003', title: 'three', dependsOn: ['T002'] }] })
else { if (task === 'T001') await hold('coder'); ${cooperative} }`

  const steer = async (...words: string[]): Promise<void> => expect(await project.looper(...words)).toMatchObject({ code: 0, stderr: '' })
  const filesOf = (): string[] => project.git('ls-tree', '-r', '--name-only', branch).split('\n').filter((name) => name !== 'README.md')

  test('a live run: a task is added, one is skipped, one under way is skipped and ends', async () => {
    project = createProject({ agent: waitingTwo, config: quick })
    const looper = begin()
    await held(project, 'coder')
    await steer('task', 'add', 'four', '--after', 'T001', '--criterion', 'it is there')
    await steer('task', 'skip', 'T002', '--reason', 'not needed')
    expect(await project.looper('task', 'add', 'x', '--after', 'T099')).toMatchObject({ code: 2, stderr: expect.stringContaining('T099') })
    expect(await project.looper('task', 'skip', 'T099')).toMatchObject({ code: 2, stderr: expect.stringContaining('T099') })
    expect(await project.looper('task', 'retry', 'T001')).toMatchObject({ code: 2, stderr: expect.stringContaining('T001 is doing') })
    await until('both orders', () => eventsSoFar(project).filter(({ type }) => type === 'task.added' || type === 'task.finished').length >= 5)
    await steer('task', 'skip', 'T001')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(filesOf()).toEqual(['T003.txt', 'T004.txt'])
    expect(await project.status()).toMatchObject({ status: 'completed', tasks: [
      { id: 'T001', status: 'cancelled', reason: 'skipped by the user' }, { id: 'T002', status: 'cancelled', reason: 'not needed' },
      { id: 'T003', status: 'done' }, { id: 'T004', title: 'four', status: 'done', criteria: ['it is there'], dependsOn: ['T001'] },
    ] })
    expect(survivors(project)).toEqual([])
  })

  test('a paused run: what was asked is done after the resume', async () => {
    project = createProject({ agent: waitingTwo, config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    await looper.ended
    await steer('task', 'add', 'four')
    await steer('task', 'skip', 'T002')
    await steer('task', 'retry', 'T002')
    await steer('task', 'skip', 'T003')
    expect(await project.looper('task', 'retry', 'T001')).toMatchObject({ code: 2 })
    expect(await project.status()).toMatchObject({ status: 'paused', tasks: [{ status: 'doing' }, { status: 'todo' }, { status: 'cancelled' }, { status: 'todo' }] })
    go(project, 'coder')
    await steer('resume')
    expect(filesOf()).toEqual(['T001.txt', 'T002.txt', 'T004.txt'])
  })

  test('orders to a run whose engine was killed are kept for the next one', async () => {
    project = createProject({ agent: waitingTwo, config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGKILL')
    await looper.ended
    await steer('task', 'skip', 'T001')
    await steer('task', 'add', 'four')
    await steer('resume')
    expect(filesOf()).toEqual(['T002.txt', 'T003.txt', 'T004.txt'])
    expect(survivors(project)).toEqual([])
  })

  test('a failed task of a live run is tried again when asked, and the run still completes', async () => {
    project = createProject({ agent: `${noting}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
else if (task === 'T001' && !fs.existsSync(path.join(env.NOTES, 'mended.go'))) process.exit(1)
else { if (task === 'T002') await hold('coder'); ${cooperative} }`, config: { ...quick, limits: { attempts: 1, goalIterations: 0 } } })
    const looper = begin()
    await held(project, 'coder')
    await until('the failure', () => eventsSoFar(project).some((event) => event.type === 'task.finished' && event.status === 'failed'))
    go(project, 'mended')
    await steer('task', 'retry', 'T001')
    await until('the retry', () => eventsSoFar(project).some((event) => event.type === 'task.finished' && event.task === 'T001' && event.status === 'done'))
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ id: 'T001', status: 'done', attempts: 2 }, { status: 'done' }] })
  })

  const asking = `${noting}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
else if (task === 'T001' && attempt === 1) answer({ status: 'needs_clarification', summary: '', questions: [{ text: 'Which colour?' }] })
else { if (task === 'T002') await hold('coder'); if (task === 'T001') note('prompts', prompt.includes('rather green') ? 'told' : 'not told'); ${cooperative} }`
  const question = (): boolean => eventsSoFar(project).some((event) => event.type === 'task.finished' && event.status === 'blocked')

  test('a question of a live run is answered: its task goes on with the answer in its prompt', async () => {
    project = createProject({ agent: asking, config: quick })
    const looper = begin()
    await Promise.all([held(project, 'coder'), until('the question', question)])
    expect(await project.looper('answer', 'Q9', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('Q9') })
    await steer('answer', 'Q1', 'rather green')
    await until('the second attempt', () => notes(project, 'prompts').length > 0)
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(notes(project, 'prompts')).toEqual(['told'])
    expect(await project.status()).toMatchObject({ status: 'completed', questions: [{ id: 'Q1', answer: 'rather green' }] })
  })

  test('a run that waits for an answer pauses with exit 3, and goes on once it has it', async () => {
    project = createProject({ agent: asking, config: quick })
    go(project, 'coder')
    const paused = await project.looper('run', 'make two files')
    expect(paused).toMatchObject({ code: 3, stderr: '' })
    expect(paused.stdout).toContain('Which colour?')
    expect(await project.status()).toMatchObject({ status: 'paused', pause: { kind: 'question' }, tasks: [{ status: 'blocked' }, { status: 'done' }] })
    expect(await project.looper('resume')).toMatchObject({ code: 3 })
    await steer('answer', 'Q1', 'rather green')
    await steer('resume')
    expect(notes(project, 'prompts')).toEqual(['told'])
    expect(filesOf()).toEqual(['T001.txt', 'T002.txt'])
  })
})

describe('an agent that', () => {
  const failures = (): (string | null)[] => eventsSoFar(project).flatMap((event) => (event.type === 'attempt.failed' ? [event.failure.error] : []))
  const turnsOf = (task: string): string[] => starts(project).filter((turn) => turn.startsWith(`${task}/`))
  const finds = (predicate: (event: Event) => boolean): boolean => eventsSoFar(project).some(predicate)

  test.each([
    ['exits 1', 'process.exit(1)', 'crash', 'retry'],
    ['is killed', `process.kill(process.pid, 'SIGKILL'); await sleep(1e6)`, 'crash', 'retry'],
    ['writes garbage', `fs.writeFileSync(env.LOOPER_RESULT_FILE, '\\u0000{{]'); console.log('\\u001b[31m{"status": complete}'); process.exit(0)`, 'bad_response', 'repair'],
    ['writes nothing', 'process.exit(0)', 'bad_response', 'repair'],
    ['writes JSON that is no result', `answer({ status: 'splendid' }); process.exit(0)`, 'bad_response', 'repair'],
    ['floods its output', `const flood = Buffer.alloc(1 << 20, 'x'); for (;;) fs.writeSync(1, flood)`, 'bad_response', 'retry'],
  ])('%s fails its attempt with the right kind, and the run goes on', { timeout: 180_000 }, async (_, misdeed, kind, second) => {
    project = createProject({ agent: `${noting} if (task === 'T001' && attempt === 1) { write('half.txt', ''); ${misdeed} }\n${cooperative}`, config: quick })
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(failures()).toEqual([kind])
    expect(turnsOf('T001')).toEqual(['T001/a1/implement', `T001/a1/implement.${second}`, 'T001/a2/implement'])
    expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ id: 'T001', status: 'done', attempts: 2 }, { status: 'done', attempts: 1 }] })
    expect(project.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual(['README.md', 'T001.txt', 'T002.txt'])
    expect(survivors(project)).toEqual([])
    expect(stdout).not.toContain('\u001B')
  })

  test('hangs is ended after its silence, with what it started', { timeout: 180_000 }, async () => {
    project = createProject({ agent: `${noting}${cooperative}` })
    const hanging = `if test "$LOOPER_TASK$LOOPER_ATTEMPT" = T0011; then echo $$ >> "$NOTES/hanging"; while :; do sleep 0.05; done; fi
echo "$LOOPER_TASK" > "$LOOPER_TASK.txt"; echo '{"status":"complete","summary":"did it"}' > "$LOOPER_RESULT_FILE"`
    project.configure({
      ...quick, agent: 'test', roles: { coder: { agent: 'hanging' } },
      agents: {
        test: { command: [process.execPath, join(project.notes, '../agent.mjs')], env: { NOTES: project.notes } },
        hanging: { command: ['sh', '-c', hanging], env: { NOTES: project.notes }, stallSeconds: 1 },
      },
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(failures()).toEqual(['stalled'])
    expect(notes(project, 'hanging').map(Number).filter(isRunning)).toEqual([])
    expect(survivors(project)).toEqual([])
  })

  test('leaves background children, some in sessions of their own: none survives its turn', async () => {
    const child = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); require('node:fs').appendFileSync(process.env.NOTES + '/children', process.pid + '\\n'); setInterval(() => {}, 1000)`
    project = createProject({ agent: `${noting}
import { spawn } from 'node:child_process'
if (task === 'T001') {
  for (const detached of [true, false]) spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached, stdio: 'ignore' }).unref()
  spawn('setsid', ['sh', '-c', 'echo $$ >> "$NOTES/children"; while :; do sleep 1; done'], { stdio: 'inherit' }).unref()
  while (!fs.existsSync(path.join(env.NOTES, 'children')) || fs.readFileSync(path.join(env.NOTES, 'children'), 'utf8').trim().split('\\n').length < 3) await sleep(10)
}
if (task === 'T002') note('alive', fs.readFileSync(path.join(env.NOTES, 'children'), 'utf8').trim().split('\\n').filter((pid) => fs.existsSync('/proc/' + pid) && !/\\) Z /.test(fs.readFileSync('/proc/' + pid + '/stat', 'utf8'))).length)
${cooperative}
process.exit(0)`, config: quick })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(notes(project, 'children')).toHaveLength(3)
    expect(notes(project, 'children').map(Number).filter(isRunning)).toEqual([])
    if (existsSync('/proc/self/stat')) expect(notes(project, 'alive')).toEqual(['0'])
    expect(survivors(project)).toEqual([])
    expect(failures()).toEqual([])
    expect(finds(({ type }) => type === 'attempt.fixing')).toBe(false)
  })

  test('is always broken fails the run: exit 1, every reason told', async () => {
    project = createProject({ agent: `${noting} if (task === 'T001') process.exit(1)\n${cooperative}`, config: { ...quick, limits: { attempts: 2, goalIterations: 1 } } })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(1)
    expect(stdout).toContain('failed')
    expect(await project.status()).toMatchObject({ status: 'failed', reason: expect.stringContaining('T001'), tasks: [{ status: 'failed', attempts: 3 }, { status: 'todo' }] })
    expect(turnsOf('T002')).toEqual([])
    expect(survivors(project)).toEqual([])
  })
})

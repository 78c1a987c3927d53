/** Kill -9 at any moment: `looper resume` finishes with the same final tree, and no minute of an agent's work is lost or done twice. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cooperative, createProject, type Project } from '../kit/project.ts'
import {
  eventsSoFar, follow, go, gone, held, isRunning, killHard, killStranger, landed, notes, noting, pidOf, removeAll, starts, survivors, treeOf, until,
} from '../kit/live.ts'

const run = '001-make-two-files'
const branch = `looper/${run}`
const quick = { review: false, checks: ['true'] }

let project: Project
let expected = ''

beforeAll(async () => {
  const undisturbed = createProject({ config: quick })
  expect(await undisturbed.looper('run', 'make two files')).toMatchObject({ code: 0 })
  expected = treeOf(undisturbed, branch)
  expect(expected.split('\n')).toHaveLength(3)
  undisturbed.remove()
})

afterEach(() => removeAll(project))

/** Ends what was begun, and says what must be true after any crash. */
async function resumes(): Promise<void> {
  const { code, stderr } = await project.looper('resume')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(treeOf(project, branch)).toBe(expected)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
  expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(project.git('status', '--porcelain')).toBe('?? .looper/')
}

const begin = (...args: string[]) => follow(project.start('run', 'make two files', ...args))

/** A project in which `script` stands in for git; `$GIT` is the real one. */
function withGit(script: string, create: () => Project): Project {
  const [path, folder] = [process.env['PATH'] ?? '', mkdtempSync(join(tmpdir(), 'looper-git-'))]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nGIT='${real}'\n${script}\n`, { mode: 0o755 })
  process.env['PATH'] = `${folder}:${path}`
  try {
    return create()
  } finally {
    process.env['PATH'] = path
    onTestFinished(() => rmSync(folder, { recursive: true }))
  }
}

describe('while a coder works', () => {
  const slow = `${noting}
if (task === 'T001') { write('half.txt', 'half'); await hold('coder'); fs.rmSync('half.txt') }
${cooperative}`

  test('its turn is adopted, not started again; meanwhile the run says crashed, and one engine at a time may go on with it', async () => {
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    expect(await project.status()).toMatchObject({ status: 'crashed', tasks: [{ status: 'doing' }, { status: 'todo' }] })
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(true)

    const second = follow(project.start('resume'))
    await until('the run to go on', () => eventsSoFar(project).some(({ type }) => type === 'run.resumed'))
    expect(await project.status()).toMatchObject({ status: 'running' })
    for (const command of ['resume', 'discard']) {
      const refused = await project.looper(command, ...(command === 'discard' ? ['--yes'] : []))
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(run) })
      expect(refused.stderr.trimEnd().split('\n')).toHaveLength(2)
    }
    go(project, 'coder')
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(treeOf(project, branch)).toBe(expected)
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({ status: 'completed', turns: 3, tasks: [{ attempts: 1 }, { attempts: 1 }] })
  })

  test('and engine after engine is killed: still one turn', async () => {
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    for (let times = 1; times <= 3; times++) {
      const next = follow(project.start('resume'))
      await until(`resumption ${times}`, () => eventsSoFar(project).filter(({ type }) => type === 'run.resumed').length === times)
      await killHard(next)
    }
    go(project, 'coder')
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('and the coder is done before anybody resumes: its answer counts', async () => {
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    go(project, 'coder')
    await gone(pidOf(project, 'T001/a1/implement'))
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('and the coder dies too: its worktree is put back before it is done again, free of charge', async () => {
    project = createProject({ agent: `${noting}
if (task === 'T001' && !fs.existsSync(path.join(env.NOTES, 'coder.go'))) {
  write('half.txt', 'half'); write('README.md', 'half'); fs.mkdirSync('deep/er', { recursive: true }); write('deep/er/x', 'x'); await hold('coder')
}
if (role === 'coder') note('seen', task + ' ' + fs.readdirSync('.').filter((name) => name !== '.git').join(' ') + ' ' + fs.readFileSync('README.md', 'utf8').trim())
${cooperative}`, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await killStranger(pidOf(project, 'T001/a1/implement'))
    go(project, 'coder')
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(notes(project, 'seen')).toEqual(['T001 README.md # test', 'T002 README.md T001.txt # test'])
    expect(await project.status()).toMatchObject({ tasks: [{ id: 'T001', attempts: 1 }, { id: 'T002', attempts: 1 }] })
  })

  test('and the coder dies too, and putting its worktree back takes long: nothing is started twice meanwhile', async () => {
    project = withGit('case "$*" in *"read-tree --reset"*) sleep 3;; esac; exec "$GIT" "$@"', () => createProject({ agent: slow, config: quick }))
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await killStranger(pidOf(project, 'T001/a1/implement'))
    go(project, 'coder')
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(eventsSoFar(project).filter((event) => event.type === 'work.lost' && event.id.startsWith('T001'))).toHaveLength(1)
  })

  test('and the coder ends without an answer before anybody resumes: done again, free of charge', async () => {
    project = createProject({ agent: `${noting}
if (task === 'T001' && starts() === 1) { write('half.txt', 'half'); await hold('coder'); process.exit(1) }
function starts() { return fs.readFileSync(path.join(env.NOTES, 'starts'), 'utf8').split('\\n').filter((line) => line.startsWith('T001/')).length }
${cooperative}`, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    const pid = pidOf(project, 'T001/a1/implement')
    go(project, 'coder')
    await gone(pid)
    await resumes()
    expect(starts(project).filter((turn) => turn.startsWith('T001'))).toEqual(['T001/a1/implement', 'T001/a1/implement'])
    expect(await project.status()).toMatchObject({ tasks: [{ attempts: 1 }, { attempts: 1 }] })
  })

  test.each([['abort', 'aborted'], ['discard --yes', 'crashed']])('and the run is given up with `looper %s`: nothing of it survives', async (command, status) => {
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    expect(await project.looper(...command.split(' '))).toMatchObject({ code: 0, stderr: '' })
    expect(survivors(project)).toEqual([])
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(false)
    expect(await project.status()).toMatchObject({ status })
  })

  test('in place: the agent goes on and what it wrote stays', async () => {
    project = createProject({ agent: slow, config: { ...quick, parallel: 1, workspace: { mode: 'in-place', commit: true } } })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    go(project, 'coder')
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(treeOf(project, 'main')).toBe(expected)
    expect(survivors(project)).toEqual([])
  })

  test('in place, and the coder dies too: nothing is reset', async () => {
    project = createProject({ agent: `${noting}
if (task === 'T001' && !fs.existsSync(path.join(env.NOTES, 'coder.go'))) { write('half.txt', 'half'); await hold('coder') }
${cooperative}`, config: { ...quick, parallel: 1, workspace: { mode: 'in-place' } } })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await killStranger(pidOf(project, 'T001/a1/implement'))
    project.write('mine.txt', 'written by the user meanwhile\n')
    go(project, 'coder')
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(project.read('half.txt')).toBe('half')
    expect(project.read('mine.txt')).toBe('written by the user meanwhile\n')
  })
})

test('while the planner plans: adopted', async () => {
  project = createProject({ agent: `${noting} if (role === 'planner') await hold('planner')\n${cooperative}`, config: quick })
  const first = begin()
  await held(project, 'planner')
  await killHard(first)
  expect(await project.status()).toMatchObject({ status: 'crashed', stage: 'plan', tasks: [] })
  go(project, 'planner')
  await resumes()
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
})

test('while judges judge two tasks at once: all are adopted, and what they edited is put back', async () => {
  project = createProject({ agent: `${noting}
if (role === 'tester') { write('scribble.txt', 'of a tester'); await hold('tester-' + task) }
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
else { ${cooperative} }`, config: { checks: ['true'] } })
  const first = begin()
  await Promise.all([held(project, 'tester-T001'), held(project, 'tester-T002')])
  await killHard(first)
  go(project, 'tester-T001')
  go(project, 'tester-T002')
  const { code, stderr } = await project.looper('resume')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(treeOf(project, branch)).toBe(expected)
  expect(starts(project).length).toBe(new Set(starts(project)).size)
  expect(eventsSoFar(project).filter(({ type }) => type === 'finding.raised')).toHaveLength(2)
  expect(survivors(project)).toEqual([])
})

test('while a check runs: the check ends with its engine’s successor and is run again, the coder is not', async () => {
  project = createProject({ agent: `${noting}${cooperative}` })
  const [begun, may] = [join(project.notes, 'checks'), join(project.notes, 'check.go')]
  project.configure({ ...quick, checks: [`echo $$ >> '${begun}'; echo scribble > by-check.txt; until test -e '${may}'; do sleep 0.02; done; rm by-check.txt`] })
  const first = begin()
  const [pid] = await until('a check', () => { const pids = notes(project, 'checks'); return pids.length > 0 && pids })
  await killHard(first)
  expect(isRunning(Number(pid))).toBe(true)
  expect(await project.status()).toMatchObject({ status: 'crashed' })
  const second = follow(project.start('resume'))
  await until('a second check', () => notes(project, 'checks').length === 2)
  expect(isRunning(Number(pid))).toBe(false)
  go(project, 'check')
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  expect(notes(project, 'checks')).toHaveLength(3)
  expect(treeOf(project, branch)).toBe(expected)
  expect(survivors(project)).toEqual([])
})

test('between the landing of a task and its record: it is not landed again', async () => {
  const stuck = `"$GIT" "$@"; code=$?
case "$*" in *update-ref*) if "$GIT" rev-parse -q --verify ${branch}~1 >/dev/null && test ! -e "$HOME/notes/landed"; then : > "$HOME/notes/landed"; sleep 600; fi;; esac
exit $code`
  project = withGit(stuck, () => createProject({ agent: `${noting}${cooperative}`, config: quick }))
  const first = begin()
  await until('the landing', () => existsSync(join(project.notes, 'landed')))
  await killHard(first)
  expect(landed(project, branch)).toEqual(['T001'])
  expect(await project.status()).toMatchObject({ status: 'crashed', tasks: [{ status: 'doing', commit: null }, { status: 'todo' }] })
  expect(survivors(project)).toHaveLength(2)
  await resumes()
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
})

test.each(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])('right after the turn %s has ended: it is not done again', async (turn) => {
  project = createProject({ agent: `${noting}${cooperative}`, config: quick })
  const first = begin('--json')
  await until(`the end of ${turn}`, () => first.stdout().includes(`"work.finished","id":"${turn}"`))
  await killHard(first)
  await resumes()
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
})

/** Every Nth line; `KILL_STRIDE=1` kills after each single one. */
const stride = Number(process.env['KILL_STRIDE'] ?? 7)

test(`a sweep: killed after line N of the journal, for N = 1, ${1 + stride}, ${1 + 2 * stride} …`, { timeout: 1_200_000 }, async () => {
  for (let lines = 1, whole = false; !whole; lines += stride) {
    project = createProject({ agent: `${noting}${cooperative}`, config: quick })
    const looper = begin('--json')
    const reached = (): boolean => looper.stdout().split('\n').length > lines
    await Promise.race([until(`line ${lines}`, reached), looper.ended])
    looper.kill('SIGKILL')
    whole = (await looper.ended).code === 0
    if (whole) expect(lines).toBeGreaterThan(30)
    else if (eventsSoFar(project).at(-1)?.type !== 'run.ended') await resumes()
    expect({ lines, tree: treeOf(project, branch), landed: landed(project, branch) }).toEqual({ lines, tree: expected, landed: ['T001', 'T002'] })
    expect({ lines, twice: starts(project).length - new Set(starts(project)).size }).toEqual({ lines, twice: 0 })
    expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ status: 'done', attempts: 1 }, { status: 'done', attempts: 1 }] })
    await removeAll(project)
  }
})

test('killed again and again, a few lines further each time, one run still comes to its end', { timeout: 600_000 }, async () => {
  project = createProject({ agent: `${noting}${cooperative}`, config: quick })
  let looper = begin('--json')
  for (let kills = 0; ; kills++) {
    const enough = (): boolean => looper.stdout().split('\n').length > 9
    await Promise.race([until('a few lines', enough), looper.ended])
    looper.kill('SIGKILL')
    if ((await looper.ended).code === 0 || (await project.status()).status === 'completed') {
      expect(kills).toBeGreaterThan(2)
      break
    }
    expect(kills).toBeLessThan(30)
    looper = follow(project.start('resume', '--json'))
  }
  expect(treeOf(project, branch)).toBe(expected)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
  expect(existsSync(join(project.root, '.looper/worktrees'))).toBe(false)
})

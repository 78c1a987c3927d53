/** Runs that a process of its own performs: left alone, looked at, stopped, and started in tmux. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { factsOf } from '../../src/platform/process-identity.ts'
import {
  eventsSoFar,
  follow,
  go,
  gone,
  held,
  isRunning,
  killHard,
  killStranger,
  noting,
  notes,
  removeAll,
  until,
  type Process,
} from '../kit/live.ts'
import { createProject, cooperative, type Ended, type Project } from '../kit/project.ts'

let project: Project
afterEach(async () => {
  for (const pid of holders()) if (isRunning(pid)) await killStranger(pid)
  await removeAll(project)
})

const runsFolder = (): string => join(project.root, '.looper/runs')
const inRun = (run: string, file: string): string => join(runsFolder(), run, file)
const holderOf = (run: string): { pid: number; heartbeatAt: string } =>
  JSON.parse(readFileSync(inRun(run, 'lock.json'), 'utf8')) as { pid: number; heartbeatAt: string }
const runs = (): string[] => (existsSync(runsFolder()) ? readdirSync(runsFolder()) : [])
const holders = (): number[] =>
  runs()
    .filter((run) => existsSync(inRun(run, 'lock.json')))
    .map((run) => holderOf(run).pid)
const leftOver = (): string[] => runs().filter((name) => name.startsWith('.starting'))

const waiting = `${noting}
if (role === 'coder' && task === 'T001') await hold('coder')
${cooperative}`
const quick = { review: false, checks: ['true'] }
const make = (agent = waiting, config: Record<string, unknown> = quick): Project =>
  (project = createProject({ agent, config }))

/** The id of a run that is under way by itself. */
async function detach(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await project.looper(...args, '-d', '-q')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

describe('C7: looper run -d', () => {
  test('starts a process that no terminal can end, and has started it when it says so', async () => {
    make()
    const started = await project.looperThrough(['sh', '-c', 'echo "make two files" | "$@"', 'sh'], 'run', '-', '-d')
    expect(started, started.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(eventsSoFar(project)[0]).toMatchObject({ type: 'run.started', goal: 'make two files' })
    const pid = Number(/under way in the background \(pid (\d+)\)/.exec(started.stdout)?.[1])
    expect(started.stdout).toContain('looper attach 1')
    expect(started.stdout).toContain('looper stop 1')
    expect(factsOf(pid)?.group).toBe(pid)
    expect(execFileSync('ps', ['-o', 'tty=', '-p', String(pid)], { encoding: 'utf8' }).trim()).toMatch(/^\?+$/)
    await held(project, 'coder')
    process.kill(pid, 'SIGHUP')
    go(project, 'coder')
    await gone(pid)
    expect(await project.status()).toMatchObject({ status: 'completed' })
    const log = inRun('last', 'console.log')
    expect(statSync(log).mode & 0o777).toBe(0o600)
    expect(readFileSync(log, 'utf8')).toMatch(/^goal {4}make two files\n[^]*\nstate {3}completed\n/)
    expect(leftOver()).toEqual([])
  })

  test('keeps folder and environment', async () => {
    make(`note('env', env.ANTHROPIC_TEST ?? '')\n${cooperative}`)
    mkdirSync(join(project.root, 'below'))
    const started = await project.looperThrough(
      ['env', '-C', join(project.root, 'below'), 'ANTHROPIC_TEST=kept'],
      'run',
      'make two files',
      '-d',
      '--json',
    )
    const { run, pid, log, tmux } = JSON.parse(started.stdout) as { run: string; pid: number; log: string; tmux: null }
    expect({ run, tmux }).toEqual({ run: '001-make-two-files', tmux: null })
    await gone(pid)
    expect(readFileSync(log, 'utf8')).toContain('completed')
    expect(notes(project, 'env')[0]).toBe('kept')
  })

  test('tells what is wrong before anything is started', async () => {
    make()
    expect(await project.looper('run', '-d')).toMatchObject({ code: 2 })
    expect(await project.looper('run', 'x', '-d', '--agent', 'unknown')).toMatchObject({ code: 2 })
    expect(await project.looper('resume', '-d')).toMatchObject({ code: 2 })
    expect(existsSync(runsFolder())).toBe(false)
  })

  test('hands on what the other process is refused with, and leaves nothing behind', async () => {
    make(waiting, { ...quick, workspace: { mode: 'in-place' }, parallel: 1 })
    const run = await detach('run', 'make two files')
    await held(project, 'coder')
    const refused = await project.looper('run', 'other files', '-d')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(run)
    expect(leftOver()).toEqual([])
    expect(runs().filter((name) => /^\d/.test(name))).toEqual([run])
    expect((await project.looper('stop', run)).stdout).toContain('paused')
  })

  test('says when the other process dies instead', async () => {
    make()
    const hook = join(project.notes, 'die.cjs')
    writeFileSync(
      hook,
      `if (process.argv.includes('--detached-job')) { console.error('no more memory'); process.exit(7) }`,
    )
    const { code, stdout, stderr } = await project.looperThrough(
      ['env', `NODE_OPTIONS=--require=${hook}`],
      'run',
      'make two files',
      '-d',
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^looper: The process of the run ended before the run started: no more memory\n/)
    expect(leftOver()).toEqual([])
  })

  test('a client that disconnects before the run has started leaves no unattended run', async () => {
    make()
    const bin = join(project.notes, 'bin')
    mkdirSync(bin)
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    // The other process has its job by the time it asks git.
    writeFileSync(
      join(bin, 'git'),
      `#!/bin/sh
case "$(ps -o args= -p $PPID)" in *--detached-job*)
  echo $PPID >> '${project.notes}/asked'
  while [ ! -e '${project.notes}/git.go' ] && [ -d '${project.notes}' ]; do sleep 0.05; done ;;
esac
exec ${git} "$@"
`,
    )
    chmodSync(join(bin, 'git'), 0o755)
    const starter = follow(
      project.startThrough([], { PATH: `${bin}:${process.env['PATH']}` }, 'run', 'make two files', '-d'),
    )
    const pid = Number(await until('the other process', () => notes(project, 'asked')[0]))
    await killHard(starter)
    go(project, 'git')
    await gone(pid)
    expect(await project.status()).toMatchObject({ status: 'paused', pause: { kind: 'user' } })
  })

  test('C6: of two at once for one session one starts, the other exits 2 naming it', async () => {
    make(
      `${noting}\nif (role === 'iterator') { await hold('pass'); answer({ task_id: null, status: 'continue', summary: 'x' }) }`,
    )
    stage(3)
    const results = await Promise.all(
      Array.from({ length: 3 }, () => project.looper('pipeline', 'run', 'polish', 'auth', '-d', '-q')),
    )
    const [won, ...others] = results.toSorted((a, b) => (a.code ?? 9) - (b.code ?? 9)) as [Ended, ...Ended[]]
    expect(won).toMatchObject({ code: 0, stderr: '' })
    for (const other of others) {
      expect(other).toMatchObject({ code: 2, stdout: '' })
      expect(other.stderr).toContain(`The run ${won.stdout.trim()} holds the session "auth".`)
    }
    expect(eventsSoFar(project, won.stdout.trim())[0]).toMatchObject({ type: 'run.started', session: 'auth' })
    expect((await project.looper('stop', 'auth')).stdout).toContain('paused')
  })

  test('resume continues where it stopped, and appends to the output', async () => {
    make()
    const run = await detach('run', 'make two files')
    await held(project, 'coder')
    expect(await project.looper('stop')).toMatchObject({
      code: 0,
      stdout: `${run}: paused (stopped by the user) · \`looper resume 1\` continues it\n`,
    })
    const before = readFileSync(inRun(run, 'console.log'), 'utf8')
    go(project, 'coder')
    expect(await detach('resume')).toBe(run)
    expect((await project.looper('attach', run)).code).toBe(0)
    await gone(holderOf(run).pid)
    const after = readFileSync(inRun(run, 'console.log'), 'utf8')
    expect(after.startsWith(before)).toBe(true)
    expect(after.slice(before.length)).toContain('completed')
  })
})

const stage = (runs: number): void => {
  project.write(
    '.looper/stages/polish/stage.yaml',
    `name: polish\ndescription: polishes\ncompletion: fixed-n\nruns: ${runs}\n`,
  )
  project.write('.looper/stages/polish/prompt.md', 'Pass ${ITERATION}.\n')
}

describe('C7: looper attach', () => {
  const attach = (...args: string[]): Process => follow(project.start('attach', ...args))

  test('Ctrl-C leaves, the run goes on; coming back shows it to its end, with its exit code', async () => {
    make()
    const run = await detach('run', 'make two files')
    await held(project, 'coder')
    const first = attach()
    await until('the line of the task', () => first.stdout().includes('T001 one · attempt 1'))
    first.kill('SIGINT')
    const left = await first.ended
    expect(left).toMatchObject({
      code: 0,
      stderr: `detached from ${run}, which keeps running: \`looper attach 1\` reattaches, \`looper stop 1\` stops it\n`,
    })
    expect(await project.status()).toMatchObject({ status: 'running', pid: holderOf(run).pid })
    const again = attach()
    await until('the line of the task', () => again.stdout().includes('T001 one · attempt 1'))
    go(project, 'coder')
    const { code, stdout, stderr } = await again.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^goal {4}make two files\n[^]*▶ 001-make-two-files[^]*✓ T002 done[^]*\nstate {3}completed\n/)
    const events = await project.looper('attach', '--json')
    expect(events.code).toBe(0)
    expect(events.stdout).toBe(readFileSync(inRun(run, 'events.jsonl'), 'utf8'))
  })

  test.each<[name: string, end: (run: string) => Promise<unknown>, code: number, shown: string]>([
    ['stopped', () => project.looper('stop'), 130, 'state   paused · stopped by the user'],
    ['aborted', () => project.looper('abort'), 1, 'state   aborted'],
    ['killed', (run) => killStranger(holderOf(run).pid), 130, 'state   crashed'],
  ])('to one that is %s tells so, at once and later', async (_name, end, code, shown) => {
    make()
    const run = await detach('run', 'make two files')
    await held(project, 'coder')
    const watching = attach(run)
    await until('the line of the task', () => watching.stdout().includes('T001 one · attempt 1'))
    await end(run)
    const seen = await watching.ended
    expect(seen).toMatchObject({ code, stderr: '' })
    expect(seen.stdout).toContain(shown)
    const later = await project.looper('attach', '-q')
    expect(later).toMatchObject({ code, stderr: `${run} is not under way: this is its last state\n` })
    expect(later.stdout).toContain(shown)
  })

  test('which of several has to be said', async () => {
    make()
    const both = [await detach('run', 'make two files'), await detach('run', 'make other files')]
    expect(await project.looper('attach')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`2 runs are under way: ${both.join(', ')}.`) as string,
    })
    for (const run of both) await project.looper('stop', run)
  })
})

describe('C6: looper status of a session', () => {
  const pass = `${noting}\nif (role === 'iterator') { if (starts() > 1) await hold(env.LOOPER_SESSION); answer({ task_id: null, status: 'continue', summary: 'x' }) }
function starts() { return read('starts').length }`

  test('shows its process and heartbeat; one that is late is no crash; one that crashed says where', async () => {
    make(pass)
    stage(25)
    await detach('pipeline', 'run', 'polish', 'other')
    expect((await project.looper('stop', 'other')).code).toBe(0)
    const run = await detach('pipeline', 'run', 'polish', 'auth')
    await held(project, 'auth')
    const { pid, heartbeatAt } = holderOf(run)
    expect(await project.status('auth')).toMatchObject({
      id: run,
      session: 'auth',
      pid,
      heartbeatAt,
      status: 'running',
    })
    process.kill(pid, 'SIGSTOP')
    writeFileSync(inRun(run, 'lock.json'), JSON.stringify({ pid, heartbeatAt: '2020-01-01T00:00:00.000Z' }))
    const late = await project.looper('status', 'auth')
    expect(late.stdout).toMatch(
      new RegExp(`\\nstate {3}running\\n[^]*\\nprocess pid ${pid} · heartbeat \\d+d ago, which is late\\n`),
    )
    await killStranger(pid)
    const crashed = await project.looper('status', 'auth')
    expect(crashed.stdout).toMatch(
      /^Session 'auth' failed at iteration (\d)\/25\nLast successful iteration: \d\nError: the process ended unexpectedly\nRun with --resume to continue from iteration \1\n\n002-auth\nstate {3}crashed\n/,
    )
    expect(await project.status('auth')).toMatchObject({ status: 'crashed', pid: null, heartbeatAt: null })
    expect(await project.status('other')).toMatchObject({ id: '001-other' })
  })
})

test('C7: agents of a session know it, and cannot start a run', async () => {
  make(`
note('env', ['LOOPER_INSIDE', 'LOOPER_SESSION', 'LOOPER_STAGE', 'CLAUDE_LOOP_AGENT', 'CLAUDE_LOOP_SESSION', 'CLAUDE_LOOP_TYPE'].map((name) => env[name]).join(' '))
const { spawnSync } = await import('node:child_process')
const looper = (...args) => spawnSync(process.execPath, [${JSON.stringify(join(import.meta.dirname, '../../bin/looper.js'))}, ...args], { encoding: 'utf8', cwd: path.dirname(env.NOTES) + '/repo' })
for (const args of [['run', 'more'], ['work'], ['resume', '-d'], ['status'], ['ls']]) { const { status, stderr } = looper(...args); note('inner', args[0] + ' ' + status + ' ' + stderr.split('\\n')[0]) }
answer({ task_id: null, status: 'continue', summary: 'x' })`)
  stage(1)
  expect(await project.looper('pipeline', 'run', 'polish', 'auth')).toMatchObject({ code: 0 })
  expect(notes(project, 'env')).toEqual(['1 auth polish 1 auth polish'])
  const refused = '2 looper: This command is refused inside a run: LOOPER_INSIDE is set.'
  expect(notes(project, 'inner')).toEqual([
    `run ${refused}`,
    `work ${refused}`,
    `resume ${refused}`,
    'status 0 ',
    'ls 0 ',
  ])
  expect(runs().filter((name) => /^\d/.test(name))).toEqual(['001-auth'])
})

describe('C7: --tmux', () => {
  /**
   * Notes what it is asked, and runs what it is given in a session of its own, with an environment and in a folder of
   * its own.
   */
  const standIn = `#!${process.execPath}
const fs = require('node:fs'), { spawn } = require('node:child_process')
const args = process.argv.slice(2)
fs.appendFileSync(process.env.HOME + '/notes/tmux', JSON.stringify(args) + '\\n')
if (args[0] === 'new-session') {
  const [program, ...rest] = args.slice(args.indexOf('--') + 1)
  spawn(program, rest, { detached: true, stdio: 'ignore', cwd: '/', env: { PATH: '/usr/bin:/bin', HOME: '/', TMUX: 'x', ANTHROPIC_TEST: 'of the server' } }).unref()
}
if (args[0] === 'rename-session' && fs.existsSync(process.env.HOME + '/notes/taken')) process.exit(1)
`
  const asked = (): string[][] => notes(project, 'tmux').map((line) => JSON.parse(line) as string[])

  /** Only these programs are on the PATH. */
  function withTmux(present: boolean): readonly [string, ...string[]] {
    const bin = join(project.notes, 'bin')
    mkdirSync(bin)
    for (const name of ['git', 'sh', 'true', 'ps', 'env'])
      symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name))
    symlinkSync(process.execPath, join(bin, 'node'))
    if (present) writeFileSync(join(bin, 'tmux'), standIn, { mode: 0o755 })
    return ['env', `PATH=${bin}`, 'ANTHROPIC_TEST=kept']
  }

  test('starts the run in a session named after it, with the folder and environment of the caller', async () => {
    make(`note('env', env.ANTHROPIC_TEST + ' ' + env.HOME)\n${waiting}`)
    const started = await project.looperThrough(withTmux(true), 'run', 'make two; files', '--tmux')
    expect(started, started.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(started.stdout).toContain(
      'in the tmux session looper-001-make-two-files\n\nnext\n  tmux attach -t looper-001-make-two-files ',
    )
    const [version, first = [], last = []] = asked().filter(([what]) => what !== 'has-session')
    expect(version).toEqual(['-V'])
    const [, , , name = ''] = first
    expect(first).toEqual([
      'new-session',
      '-d',
      '-s',
      name,
      '--',
      process.execPath,
      expect.stringMatching(/\/bin\/looper\.js$/),
      'run',
      '--detached-job',
      expect.stringMatching(/^\/tmp\/looper-\w+\/s$/),
    ])
    expect(last).toEqual(['rename-session', '-t', `=${name}`, 'looper-001-make-two-files'])
    go(project, 'coder')
    expect((await project.looper('attach')).code).toBe(0)
    expect(notes(project, 'env')[0]).toBe(`kept ${dirname(project.root)}`)
  })

  test('a run of a session is named after that, unless another one has the name; hanging up stops it', async () => {
    make(
      `${noting}\nif (role === 'iterator') { await hold('pass'); answer({ task_id: null, status: 'continue', summary: 'x' }) }`,
    )
    stage(2)
    const path = withTmux(true)
    const started = await project.looperThrough(path, 'pipeline', 'run', 'polish', 'auth', '--tmux')
    expect(started.stdout).toContain('tmux attach -t looper-auth')
    await held(project, 'pass')
    const { pid } = holderOf('001-auth')
    process.kill(pid, 'SIGHUP')
    await gone(pid)
    expect(await project.status('auth')).toMatchObject({ status: 'paused', pause: { kind: 'user' } })
    writeFileSync(join(project.notes, 'taken'), '')
    const again = await project.looperThrough(path, 'pipeline', 'run', 'polish', 'auth', '--resume', '--tmux', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      run: '001-auth',
      log: null,
      tmux: expect.stringMatching(/^looper-[0-9a-f]{8}$/) as string,
    })
    expect((await project.looper('stop', 'auth')).stdout).toContain('paused')
  })

  test('without tmux says what to do', async () => {
    make()
    expect(await project.looperThrough(withTmux(false), 'run', 'make two files', '--tmux')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'looper: tmux is not in PATH.\n  Install tmux, or use --detach: `looper attach` shows such a run as well.\n',
    })
    expect(existsSync(runsFolder())).toBe(false)
  })
})

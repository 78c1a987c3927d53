/** Runs that a process of its own performs: left alone, looked at, stopped, and started in tmux. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../../src/platform/process-identity.ts'
import {
  detach,
  holderOf,
  inRun,
  make,
  project,
  quick,
  runs,
  runsFolder,
  stage,
  waiting,
  useDetachedRun,
} from '../kit/detached-runs.ts'
import { eventsSoFar, follow, go, gone, held, killHard, noting, notes, until } from '../kit/live.ts'
import { cooperative, type Ended } from '../kit/project.ts'

useDetachedRun()

const leftOver = (): string[] => runs().filter((name) => name.startsWith('.starting'))

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

  test('reports what is wrong before anything is started', async () => {
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

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holderOf, make, project, runsFolder, stage, waiting, useDetachedRun } from '../kit/detached-runs.ts'
import { go, gone, held, noting, notes } from '../kit/live.ts'

useDetachedRun()

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

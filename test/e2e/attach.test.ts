import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { detach, holderOf, inRun, make, project, stage, useDetachedRun } from '../kit/detached-runs.ts'
import { follow, go, held, killStranger, noting, until, type Process } from '../kit/live.ts'

useDetachedRun()

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
  ])('to one that is %s says so, at once and later', async (_name, end, code, shown) => {
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

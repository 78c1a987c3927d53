import { spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProcess } from './run-process.ts'
import { scarceIn, spawnPatiently } from './spawn-patiently.ts'

const errno = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code, syscall: 'spawn' })

/** Fails this many times before it starts a process. */
function failing(times: number, code: string): { start: () => ReturnType<typeof spawn>; calls: () => number } {
  let calls = 0
  return {
    calls: () => calls,
    start() {
      calls++
      if (calls <= times) throw errno(code)
      return spawn('true', { stdio: 'ignore' })
    },
  }
}

describe('starting a process', () => {
  test.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'])('is tried again after %s', async (code) => {
    const { start, calls } = failing(3, code)
    expect((await spawnPatiently(start)).pid).toBeGreaterThan(1)
    expect(calls()).toBe(4)
  })

  test('gives up in the end, in words', async () => {
    const { start, calls } = failing(99, 'EMFILE')
    await expect(spawnPatiently(start)).rejects.toMatchObject({
      code: 'ENVIRONMENT_RESOURCES',
      exitCode: 3,
      message: 'A process could not be started: too many open files.',
      hint: expect.stringContaining('ulimit -n'),
    })
    expect(calls()).toBe(8)
  })

  test('is not tried again when it is no longer wanted, nor after another failure', async () => {
    const short = failing(99, 'EAGAIN')
    await expect(spawnPatiently(short.start, () => false)).rejects.toMatchObject({ code: 'ENVIRONMENT_RESOURCES' })
    const missing = failing(99, 'ENOENT')
    await expect(spawnPatiently(missing.start)).rejects.toMatchObject({ code: 'ENOENT' })
    expect([short.calls(), missing.calls()]).toEqual([1, 1])
    await expect(spawnPatiently(() => spawn('/there/is/no/such/program'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('only what the machine is out of counts', () => {
    expect([scarceIn(errno('ENOMEM')), scarceIn(errno('EACCES')), scarceIn('EMFILE'), scarceIn(null)]).toEqual([
      'not enough memory',
      null,
      null,
      null,
    ])
  })
})

test('a program that does not exist, a missing folder, arguments that are too long: a result', async () => {
  for (const [argv, cwd] of [
    [['/there/is/none'], '/'],
    [['true'], '/there/is/none'],
    [['true', 'x'.repeat(3_000_000)], '/'],
  ] as const) {
    expect(await runProcess({ argv: [...argv] as [string], cwd })).toMatchObject({
      started: false,
      exitCode: null,
      stderr: expect.stringContaining('spawn'),
    })
  }
  expect(await runProcess({ argv: [''], cwd: '/' })).toMatchObject({ started: false })
})

test('with a real limit on open files, the process says so in words and does not crash', () => {
  const hook = resolve(import.meta.dirname, '../../scripts/strip-types.js')
  const module = resolve(import.meta.dirname, 'run-process.ts')
  const program = `import { openSync } from 'node:fs'
const { runProcess } = await import(${JSON.stringify(module)})
await runProcess({ argv: ['true'], cwd: '/' })
try { for (;;) openSync('/dev/null') } catch {}
await runProcess({ argv: ['true'], cwd: '/', input: 'x' }).then((result) => console.log('ran', result.exitCode), (error) => console.log(error.code))`
  const script = 'ulimit -n 60; exec "$0" --import "$1" --input-type=module -e "$2"'
  const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, hook, program], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'ENVIRONMENT_RESOURCES\n', stderr: '' })
})

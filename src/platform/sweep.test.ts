import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterEach, expect, test } from 'vitest'
import { markVariable } from './mark.ts'
import { identityOf, isAlive } from './process-identity.ts'
import { endMarked, findMarked, parsePsEnvironments } from './sweep.ts'

const marks: string[] = []
afterEach(async () => {
  for (const mark of marks.splice(0)) await endMarked(mark, { graceMs: 0 })
})

/** Starts a shell line that prints to stdout when it is ready. */
async function start(mark: string, line: string, env: NodeJS.ProcessEnv = process.env): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', line], {
    env: { ...env, [markVariable]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  marks.push(mark)
  await once(child.stdout, 'data')
  return child
}

test('finds the processes of a prefix, children in their own session included', async () => {
  const key = randomUUID()
  const one = await start(`${key}:T1:1`, 'setsid sleep 60 & echo up; wait')
  const other = await start(`${key}:T2:1`, 'echo up; exec sleep 60')
  await start(`x${key}:T1:1`, 'echo up; exec sleep 60')
  await expect.poll(() => findMarked(`${key}:T1:1`).length, { timeout: 120_000 }).toBe(2)
  expect(findMarked(`${key}:T1:1`).map(({ pid }) => pid)).toContain(one.pid)
  expect(findMarked(`${key}:T2`)).toEqual([{ pid: other.pid, mark: `${key}:T2:1` }])
  expect(findMarked(`${key}:`)).toHaveLength(3)
  expect(findMarked(randomUUID())).toEqual([])
})

test('a mark at the end of a large environment is found', async () => {
  const key = randomUUID()
  const child = await start(key, 'echo up; exec sleep 60', {
    ...process.env,
    A: 'x'.repeat(100_000),
    B: `\n${'y'.repeat(100_000)}`,
  })
  expect(findMarked(key)).toEqual([{ pid: child.pid, mark: key }])
})

test('a variable that only ends in the name, or holds it in its value, is no mark', async () => {
  const key = randomUUID()
  await start('other', 'echo up; exec sleep 60', {
    ...process.env,
    [`X${markVariable}`]: key,
    Y: `${markVariable}=${key}`,
  })
  expect(findMarked(key)).toEqual([])
})

test('ends every marked process, one that ignores SIGTERM and one in its own session too', async () => {
  const key = randomUUID()
  await start(`${key}:1`, `trap '' TERM; setsid sh -c "trap '' TERM; sleep 60" & echo up; sleep 60; wait`)
  const found = findMarked(key).map(({ pid }) => identityOf(pid)!)
  expect(found.length).toBeGreaterThan(0)
  expect(await endMarked(key, { graceMs: 50 })).toBeGreaterThanOrEqual(found.length)
  expect(findMarked(key)).toEqual([])
  expect(found.filter(isAlive)).toEqual([])
})

test('asks before it kills', async () => {
  const key = randomUUID()
  const child = await start(key, `trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done`)
  const exit = once(child, 'exit')
  await endMarked(key, { graceMs: 30_000 })
  expect(await exit).toEqual([7, null])
})

test('of a short life nothing is missed, however often it forked', async () => {
  for (let round = 0; round < 40; round++) {
    const key = randomUUID()
    const child = spawn('sh', ['-c', '(setsid sh -c "(setsid sleep 60 &) &") &'], {
      env: { ...process.env, [markVariable]: key },
      detached: true,
      stdio: 'ignore',
    })
    marks.push(key)
    await once(child, 'exit')
    await endMarked(key, { graceMs: 0, ...(round % 2 === 0 ? { first: { pid: child.pid!, ageMs: 0 } } : {}) })
    expect(findMarked(key)).toEqual([])
  }
})

test('a long life is looked through whole', async () => {
  const key = randomUUID()
  await start(key, 'echo up; exec sleep 60')
  const { pid } = await start(randomUUID(), 'echo up; exec sleep 60')
  expect(await endMarked(key, { graceMs: 0, first: { pid: pid!, ageMs: 60_000 } })).toBe(1)
})

test('leaves other marks alone, also those that only begin the same', async () => {
  const key = randomUUID()
  const meant = await start(`${key}:1`, 'echo up; exec sleep 60')
  const longer = await start(`${key}:10`, 'echo up; exec sleep 60')
  expect(await endMarked(`${key}:1`, { only: (mark) => mark === `${key}:1` })).toBe(1)
  expect(findMarked(key).map(({ pid }) => pid)).toEqual([longer.pid])
  expect(isAlive({ ...identityOf(longer.pid!)! })).toBe(true)
  expect(identityOf(meant.pid!)).toBeNull()
})

test('never touches the process that sweeps, though it carries the mark itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'looper-sweep-'))
  try {
    const bundle = await rolldown({ input: new URL('sweep.ts', import.meta.url).pathname, platform: 'node' })
    await bundle.write({ file: join(folder, 'sweep.mjs') })
    const key = randomUUID()
    const program = `import { endMarked } from ${JSON.stringify(join(folder, 'sweep.mjs'))}; console.log(await endMarked('${key}'))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, [markVariable]: key },
    })
    expect(stdout).toBe('0\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('lines of ps -E on macOS', () => {
  const text =
    '    1 /sbin/launchd LOOPER_MARK=k:1\n  501 node agent.js A=1 LOOPER_MARK=k:T1/a1:1 B=2\n'
    + '  502 grep XLOOPER_MARK=k:\n  503 sh LOOPER_MARK=k2:\n'
  expect(parsePsEnvironments(text, 'k:')).toEqual([{ pid: 501, mark: 'k:T1/a1:1' }])
})

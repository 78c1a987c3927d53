import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository, type Repository } from '../../../test/kit/repository.ts'
import { findMarked } from '../../platform/sweep.ts'
import { openRefWriter, type RefWriter } from './ref-writer.ts'

const gone = '0123456789012345678901234567890123456789'

function open(guardMs = 60_000): { repository: Repository; writer: RefWriter; head: string; pids: () => number[] } {
  const repository = makeRepository()
  const mark = `test:${repository.root}:1`
  const pids = (): number[] => findMarked(mark).map(({ pid }) => pid)
  onTestFinished(() => {
    for (const pid of pids()) process.kill(pid, 'SIGKILL')
  })
  const writer = openRefWriter('looper: test', { cwd: repository.root, mark }, guardMs)
  return { repository, writer, head: repository.git('rev-parse', 'HEAD').trim(), pids }
}

test('many transactions are served by one process, and logged under the given note', async () => {
  const { repository, writer, head, pids } = open()
  expect(await writer.write([`update refs/heads/a ${head}`])).toBe(true)
  const first = pids()
  expect(await writer.write([`update refs/heads/b ${head}`, `update refs/heads/c ${head}`])).toBe(true)
  expect(repository.git('rev-parse', 'a', 'b', 'c').trim().split('\n')).toEqual([head, head, head])
  expect(readFileSync(`${repository.root}/.git/logs/refs/heads/a`, 'utf8')).toContain('looper: test')
  expect([first.length, pids()]).toEqual([1, first])
})

test.each([
  ['a commit that is not there', (head: string) => [`update refs/heads/b ${head}`, `update refs/heads/a ${gone}`]],
  ['a ref that is elsewhere', (head: string) => [`update refs/heads/b ${head}`, `update refs/heads/a ${head} ${gone}`]],
])('%s: nothing moves, and the next transaction is served', async (_, lines) => {
  const { repository, writer, head } = open()
  expect(await writer.write(lines(head))).toBe(false)
  expect(readdirSync(`${repository.root}/.git/refs/heads`)).toEqual(['main'])
  expect(await writer.write([`update refs/heads/a ${head}`])).toBe(true)
})

test('a process that was killed is replaced', async () => {
  const { writer, head, pids } = open()
  await writer.write([`update refs/heads/a ${head}`])
  for (const pid of pids()) process.kill(pid, 'SIGKILL')
  while (pids().length > 0) await sleep(5)
  const answers = [
    await writer.write([`update refs/heads/b ${head}`]),
    await writer.write([`update refs/heads/b ${head}`]),
  ]
  expect(answers).toContain(true)
})

test('close resolves when the process is gone, and the next transaction is served', async () => {
  const { writer, head, pids } = open()
  await writer.close()
  await writer.write([`update refs/heads/a ${head}`])
  await writer.close()
  expect(pids()).toEqual([])
  expect(await writer.write([`update refs/heads/b ${head}`])).toBe(true)
})

test('a process that does not answer in time is ended, and the next transaction is served', async () => {
  const { writer, head, pids } = open(200)
  await writer.write([`update refs/heads/a ${head}`])
  for (const pid of pids()) process.kill(pid, 'SIGSTOP')
  expect(await writer.write([`update refs/heads/b ${head}`])).toBe(false)
  expect(pids()).toEqual([])
  while (!(await writer.write([`update refs/heads/b ${head}`]))) await sleep(5)
})

test('close ends a process that does not end by itself', async () => {
  const { writer, head, pids } = open(200)
  await writer.write([`update refs/heads/a ${head}`])
  for (const pid of pids()) process.kill(pid, 'SIGSTOP')
  await writer.close()
  expect(pids()).toEqual([])
})

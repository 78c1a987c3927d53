import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findRunId } from './find-run.ts'
import { createRunFolder, listRunIds, runsFolder, slugOf } from './run-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-runs-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('E1: run ids', () => {
  test.each([
    ['Add a --json flag to every command', 'add-json-flag-every-command'],
    ['Please fix the login bug!', 'fix-login-bug'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Überprüfe die Größe', 'uberprufe-die-gro-e'],
    ['日本語', 'goal'],
    ['the', 'the'],
    [
      'supercalifragilistic expialidocious internationalization of everything',
      'supercalifragilistic-expialidocious-inte',
    ],
  ])('%s', (goal, slug) => expect(slugOf(goal)).toBe(slug))

  test('numbers go up, and `last` points to the newest', async () => {
    expect(await createRunFolder(root, 'add auth')).toBe('001-add-auth')
    expect(await createRunFolder(root, 'fix payment bug')).toBe('002-fix-payment-bug')
    expect(await createRunFolder(root, 'x', ['007-old'])).toBe('008-x')
    expect(await readlink(join(runsFolder(root), 'last'))).toBe('008-x')
  })

  test('many at once never share a number', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => createRunFolder(root, `goal ${at}`)))
    expect(new Set(ids.map((id) => id.slice(0, 3))).size).toBe(20)
    expect(await listRunIds(root)).toHaveLength(20)
    expect(await readlink(join(runsFolder(root), 'last'))).toBe(ids.toSorted().at(-1))
  })

  test('`last` is there at every moment, and whatever else is in its place does no harm', async () => {
    await createRunFolder(root, 'first')
    const link = join(runsFolder(root), 'last')
    let busy = true
    const missed: unknown[] = []
    const watching = (async () => {
      while (busy) await readlink(link).catch((error: unknown) => missed.push(error))
    })()
    for (let at = 0; at < 20; at++) await createRunFolder(root, `goal ${at}`)
    busy = false
    await watching
    expect(missed).toEqual([])
    rmSync(link)
    mkdirSync(join(link, 'mine'), { recursive: true })
    expect(await createRunFolder(root, 'after')).toBe('022-after')
    expect(readdirSync(runsFolder(root)).filter((name) => name.startsWith('.last'))).toEqual([])
  })

  test('a run is found by number, id or words; what is ambiguous is asked', async () => {
    for (const goal of ['add user auth', 'fix payment bug', 'fix dark mode']) await createRunFolder(root, goal)
    expect(await findRunId(root, null)).toBe('003-fix-dark-mode')
    expect(await findRunId(root, '2')).toBe('002-fix-payment-bug')
    expect(await findRunId(root, 'auth')).toBe('001-add-user-auth')
    expect(await findRunId(root, 'dark mode')).toBe('003-fix-dark-mode')
    await expect(findRunId(root, 'fix')).rejects.toThrow('could be 002-fix-payment-bug, 003-fix-dark-mode')
    await expect(findRunId(root, '../../etc')).rejects.toThrow('There is no run')
  })
})

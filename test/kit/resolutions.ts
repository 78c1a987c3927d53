/** Conflicts of two tasks, and the ways in which an agent may resolve them. */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeRepository, type Repository } from './repository.ts'
import { merge, ready } from './steps.ts'

export type Hand = (at: Repository, sides: { onto: string; theirs: string }) => void

export const writes =
  (path: string, text: string): Hand =>
  (at) =>
    at.write(path, text)
export const removes =
  (...paths: string[]): Hand =>
  (at) => {
    for (const path of paths) rmSync(join(at.root, path), { recursive: true, force: true })
  }
export const edits =
  (path: string, edit: (text: string) => string): Hand =>
  (at) =>
    writeFileSync(join(at.root, path), edit(at.read(path)))
export const links =
  (path: string, to: string): Hand =>
  (at) =>
    symlinkSync(to, join(at.root, path))
export const all =
  (...hands: Hand[]): Hand =>
  (at, sides) => {
    for (const hand of hands) hand(at, sides)
  }
export const nothing: Hand = () => {}

export type Case = [name: string, resolve: Hand, expected: string[]]

/**
 * Two tasks start from `files`. `landed` lands first, then `own` is merged, and its conflict is resolved in several
 * ways.
 */
export async function judge(
  files: Record<string, string>,
  landed: Hand,
  own: Hand,
  cases: readonly Case[],
): Promise<void> {
  const repository = makeRepository(files)
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  const none = { onto: '', theirs: '' }
  landed(at('T001'), none)
  own(at('T002'), none)
  await merge(worktrees, 'T001', base)
  const conflict = await merge(worktrees, 'T002', base)
  if (conflict.status !== 'conflict' || conflict.theirs === undefined) throw new Error(conflict.status)
  const { onto, theirs, tree } = conflict
  for (const [name, resolve, expected] of cases) {
    resolve(at('T002'), { onto, theirs })
    const looked = await worktrees.inspect({
      kind: 'inspect',
      id: 'T002/a1/inspect1',
      workspace: 'T002',
      base: onto,
      restore: null,
      resolves: { theirs, tree },
    })
    expect(
      looked.unresolved?.map(({ file, why }) => `${why} ${file.replace(/~\w+$/, '~')}`),
      name,
    ).toEqual(expected)
    await worktrees.restore('T002', tree)
  }
}

export const lines = (...text: string[]): string => `${text.join('\n')}\n`

export const before = lines('1', '2', '3')
export const one = [
  { 'a.txt': before },
  writes('a.txt', lines('1', 'landed', '3')),
  writes('a.txt', lines('1', 'own', '3')),
] as const
export const rows = Array.from({ length: 9 }, (_, n) => `row ${n}`)
export const row = (changes: Record<number, string>): string => lines(...rows.map((text, n) => changes[n] ?? text))

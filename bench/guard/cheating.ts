/** Plays each cheat: the base is green, the candidate is green by its own check and wrong by the truth. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Cheat } from './cheat.ts'
import { go } from './cheats/go.ts'
import { javascript } from './cheats/javascript.ts'
import { python } from './cheats/python.ts'
import { rust } from './cheats/rust.ts'
import { shell } from './cheats/shell.ts'
import { unlisted } from './cheats/unlisted.ts'
import { blockedByGuard, judge, observe, type Judged, type Observed } from './judge.ts'
import { checkOut, write, type BenchRepository } from './trees.ts'

export interface Played {
  cheat: Cheat
  /** Why it is no cheat here: a tool is missing, or its own check is red. */
  invalid: string | null
  guard: boolean
  judged: Judged | null
}

const all: readonly Cheat[] = [...javascript, ...python, ...rust, ...go, ...shell, ...unlisted]

export const cheatsNamed = (part: string | undefined): Cheat[] =>
  all.filter(({ name, project }) => part === undefined || `${project.ecosystem}: ${name}`.includes(part))

export async function playCheat(cheat: Cheat, scratch: string): Promise<Played> {
  const { project, change } = cheat
  const root = mkdtempSync(join(scratch, 'cheat-'))
  const repository: BenchRepository = { gitDir: join(root, 'git'), scratch: join(root, 'scratch') }
  if (project.needs !== undefined)
    repository.link = { name: project.needs, to: resolve(import.meta.dirname, '../..', project.needs) }
  mkdirSync(repository.scratch)
  const base = commit(repository, { ...project.files }, null)
  const candidate = commit(repository, { ...project.files, ...change }, base)
  const sides: Observed[] = []
  let invalid: string | null = null
  for (const side of [base, candidate]) {
    const folder = await checkOut(repository, side)
    const checked = await observe(folder, project.check, repository.scratch)
    const truth = await observe(folder, project.truth, repository.scratch)
    sides.push(checked)
    if (checked.outcome.exitCode !== 0)
      invalid ??= `the check is red on the ${side === base ? 'base' : 'candidate'}: ${checked.outcome.tail}`
    if ((truth.outcome.exitCode === 0) !== (side === base))
      invalid ??= `the truth is ${truth.outcome.exitCode} on the ${side === base ? 'base' : 'candidate'}: ${truth.outcome.tail}`
    rmSync(folder, { recursive: true, force: true })
  }
  const [seenBase, seenCandidate] = sides
  // A check that passes without having run a test is no green.
  if (invalid === null && (seenBase?.outcome.tests ?? 0) > 0 && seenCandidate?.outcome.tests === 0)
    invalid = 'no test runs: red without any guard'
  const words = ['Make addition faster']
  const judged =
    invalid !== null || seenBase === undefined || seenCandidate === undefined
      ? null
      : await judge(
          { repository, base, candidate, checks: [project.check], words },
          { base: [seenBase], candidate: [seenCandidate] },
        )
  rmSync(root, { recursive: true, force: true })
  return { cheat, invalid, guard: judged !== null && blockedByGuard(judged.findings, words), judged }
}

function commit(repository: BenchRepository, files: Record<string, string | null>, parent: string | null): string {
  const folder = mkdtempSync(join(repository.scratch, 'work-'))
  for (const [path, text] of Object.entries(files)) if (text !== null) write(folder, path, text)
  const env = {
    ...process.env,
    GIT_DIR: repository.gitDir,
    GIT_WORK_TREE: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', '-c', 'core.autocrlf=false', ...args], {
      env,
      cwd: folder,
    })
      .toString()
      .trim()
  if (parent === null) execFileSync('git', ['init', '-q', '--bare', repository.gitDir])
  git('-c', 'core.bare=false', 'add', '-A', '-f', '.')
  const tree = git('write-tree')
  const id = git('commit-tree', tree, '-m', 'c', ...(parent === null ? [] : ['-p', parent]))
  git('read-tree', '--empty')
  rmSync(folder, { recursive: true, force: true })
  return id
}

/** Trees of a git folder as files on the disk, and what differs between two of them. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ChangedFile } from '../../src/model/tamper.ts'

const run = promisify(execFile)

export interface BenchRepository {
  gitDir: string
  /** A folder of its own for everything that is written. */
  scratch: string
  /** A folder that is needed beside the files, as `node_modules`. */
  link?: { name: string; to: string }
  /** A folder that keeps results of checks for the next measurement. */
  kept?: string
}

export async function git(
  { gitDir }: Pick<BenchRepository, 'gitDir'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await run('git', ['--git-dir', gitDir, ...args], {
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  })
  return stdout
}

/** A new folder with the files of a commit. */
export async function checkOut(repository: BenchRepository, commit: string): Promise<string> {
  const folder = mkdtempSync(join(repository.scratch, 'tree-'))
  const index = join(repository.scratch, `${folder.slice(-6)}.index`)
  await git(repository, ['read-tree', `--index-output=${index}`, commit], { GIT_INDEX_FILE: index })
  await git(repository, ['--work-tree', folder, 'checkout-index', '--all', '--force', `--prefix=${folder}/`], {
    GIT_INDEX_FILE: index,
  })
  rmSync(index, { force: true })
  if (repository.link !== undefined) {
    rmSync(join(folder, repository.link.name), { recursive: true, force: true })
    symlinkSync(repository.link.to, join(folder, repository.link.name))
  }
  return folder
}

export async function changedPaths(
  repository: Pick<BenchRepository, 'gitDir'>,
  base: string,
  candidate: string,
): Promise<string[]> {
  return (await git(repository, ['diff-tree', '-r', '--no-renames', '--name-only', '-z', base, candidate]))
    .split('\0')
    .filter(Boolean)
}

/** The paths of a commit whose text contains one of the words. */
export async function mentioning(
  repository: Pick<BenchRepository, 'gitDir'>,
  commit: string,
  words: readonly string[],
): Promise<string[]> {
  const patterns = words.flatMap((word) => ['-e', word])
  const found = await git(repository, ['grep', '-l', '-z', '-I', '-F', ...patterns, commit]).catch(() => '')
  return found.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(commit.length + 1)]))
}

/** The texts of these, in one process; null where there is none, or it is binary or huge. */
async function texts(
  { gitDir }: Pick<BenchRepository, 'gitDir'>,
  names: readonly string[],
): Promise<(string | null)[]> {
  const child = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stdin.end(names.map((name) => `${name}\n`).join(''))
  await new Promise((done) => {
    child.on('close', done)
  })
  const output = Buffer.concat(chunks)
  let at = 0
  return names.map(() => {
    const end = output.indexOf(10, at)
    const size = / blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1]
    at = end + 1
    if (size === undefined) return null
    const text = output.toString('utf8', at, at + Number(size))
    at += Number(size) + 1
    return text.length > 1_000_000 || text.includes('\0') ? null : text
  })
}

export async function changedFiles(
  repository: Pick<BenchRepository, 'gitDir'>,
  base: string,
  candidate: string,
  paths: readonly string[],
): Promise<ChangedFile[]> {
  const read = await texts(
    repository,
    paths.flatMap((path) => [`${base}:${path}`, `${candidate}:${path}`]),
  )
  return paths.map((path, at) => ({ path, before: read[2 * at] ?? null, after: read[2 * at + 1] ?? null }))
}

export function write(folder: string, path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** Submodules of a work tree come from the checkout's own copies: no network, best effort, never a reason to fail. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tryGit } from './git.ts'
import type { Place } from './place.ts'
import { isGitlink, type Change } from './tree-changes.ts'

interface Submodule {
  name: string
  path: string
  /** The checkout's clone of it. */
  clone: string
}

/** `gitDir` is the checkout's: its `modules/` hold the clones. Works in `place` through its link, which must be whole. */
export async function populateSubmodules(place: Place, gitDir: string, mark: string): Promise<void> {
  const submodules = await cloned(place, gitDir, mark)
  if (submodules.length === 0) return
  await tryGit(['submodule', '--quiet', 'update', '--checkout', '--force', '--', ...submodules.map(({ path }) => path)], {
    cwd: place.path, mark, timeoutMs: 10 * 60_000,
    config: ['protocol.file.allow=always', ...submodules.map(({ name, clone }) => `submodule.${name}.url=${clone}`)],
  })
}

/** Commits that an agent made inside a submodule would go with its work tree: the checkout's clone keeps them. */
export async function keepSubmoduleCommits(
  place: Place, gitDir: string, changes: readonly Change[], ref: string, mark: string,
): Promise<void> {
  const moved = changes.filter(({ to }) => isGitlink(to))
  if (moved.length === 0) return
  for (const { path, clone } of await cloned(place, gitDir, mark)) {
    const commit = moved.find((change) => change.path === path)?.to?.object
    if (commit === undefined) continue
    const args = ['--git-dir', clone, 'fetch', '--quiet', '--no-tags', join(place.path, path), `+HEAD:${ref}`]
    await tryGit(args, { cwd: place.path, mark, config: ['protocol.file.allow=always'] })
  }
}

async function cloned(place: Place, gitDir: string, mark: string): Promise<Submodule[]> {
  const file = join(place.path, '.gitmodules')
  if (!existsSync(file)) return []
  const args = ['config', '-z', '-f', file, '--get-regexp', String.raw`^submodule\..+\.path$`]
  const listed = (await tryGit(args, { cwd: place.path, mark })).stdout
  return listed.split('\0').flatMap((entry) => {
    const [, name = '', path = ''] = /^submodule\.(.+)\.path\n([^]*)$/.exec(entry) ?? []
    const clone = join(gitDir, 'modules', name)
    const usable = name !== '' && !name.includes('=') && !name.split('/').includes('..') && existsSync(join(clone, 'HEAD'))
    return usable ? [{ name, path, clone }] : []
  })
}

/** Turns the files of a work tree into a tree object and lists the changes, whatever the agent did with git there. */
import { existsSync, renameSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { isIgnoreFile, stageIgnored, trackedBefore } from './agent-index.ts'
import { isExcluded } from './excludes.ts'
import { git, gitError, tryGit, tryGitScript } from '../git/git.ts'
import { dropIndexLock, recordUsualIndex, type WorkTree } from './work-tree.ts'
import { grantAccess } from './remove-tree.ts'
import { entryLines, type Change } from '../git/change.ts'
import { isSmall } from '../index/index-file.ts'
import { observeOthers, recognize } from '../index/recognize.ts'
import { stageQuickly } from '../index/stage-files.ts'
import { changesQuickly, writeStagedTree } from '../index/staged-tree.ts'
import type { ProcessResult } from '../../platform/run-process.ts'
import { changesArguments, compareTrees, isGitlink, readChanges } from '../git/tree-changes.ts'

export interface Snapshot {
  tree: string
  changes: Change[]
}

export interface Baseline {
  /** The id of a tree or a commit. */
  id: string
  /** The commit's tree if it is known. It saves a comparison when nothing changed. */
  tree?: string
}

/** How a nested repository that is no submodule is treated: its files are included, or it is ignored. */
export type Nested = 'content' | 'nothing'

const deepestNesting = 5

/** Whether files that git refuses make the snapshot fail (WORKSPACE_CONTENT) or are left out. */
export type Refused = 'fails' | 'left-out'

export async function takeSnapshot(
  workTree: WorkTree,
  base: Baseline,
  nested: Nested,
  mark: string,
  refused: Refused = 'fails',
): Promise<Snapshot> {
  const inspect = (): Promise<Snapshot> => scanFiles(workTree, base, nested, mark, refused)
  return inspect().catch(async (error: unknown) => {
    if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_GIT' || !existsSync(workTree.index)) throw error
    // The index is damaged, or it names objects that git has pruned, because git does not know this index. The files
    // still exist, so a new index is built.
    const aside = `${workTree.index}.aside`
    renameSync(workTree.index, aside)
    workTree.usualIndex = null
    return inspect().catch((still: unknown) => {
      renameSync(aside, workTree.index)
      throw still
    })
  })
}

async function scanFiles(
  workTree: WorkTree,
  base: Baseline,
  nested: Nested,
  mark: string,
  refused: Refused,
): Promise<Snapshot> {
  dropIndexLock(workTree)
  if (!existsSync(workTree.index)) {
    const read = await tryGit(['read-tree', base.id], { workTree, mark })
    if (read.exitCode !== 0) await git(['read-tree', 'HEAD'], { workTree, mark })
  } else {
    const quick = await inspectOnce(workTree, base, mark)
    if (quick) return quick
  }
  const before = trackedBefore(workTree, base.tree ?? base.id)
  const unborn = await stageAll(workTree, nested === 'content', mark, refused)
  await stageIgnored(workTree, base.tree ?? base.id, before, mark)
  if (nested === 'content') for (const folder of unborn) await stageNested(workTree, folder, mark)
  for (let depth = 0; ; depth++) {
    const tree = await git(['write-tree'], { workTree, mark })
    if (tree === base.id || tree === base.tree) return { tree, changes: [] }
    const changes = await compareTrees(base.id, tree, { workTree, mark })
    const strays = await findStrays(workTree, changes)
    if (strays.length === 0) return { tree, changes }
    await setEntries(workTree, strays, 'from', mark)
    if (nested === 'nothing' || depth >= deepestNesting) continue
    for (const { path, to } of strays) if (isGitlink(to)) await stageNested(workTree, path, mark)
  }
}

const addArguments = ['add', '--all', '--ignore-errors']

const treeScript = [
  'tree=$(git write-tree) && echo "$tree" || exit',
  `[ "$tree" = "$1" ] || [ "$tree" = "$2" ] || exec git ${changesArguments.join(' ')} "$1" "$tree"`,
].join('\n')

const inspectScript = `git ${addArguments.join(' ')} || exit\n${treeScript}`

/** The fast path for the usual case; null when the snapshot needs the full procedure or git reported something. */
async function inspectOnce(workTree: WorkTree, base: Baseline, mark: string): Promise<Snapshot | null> {
  const note = recordUsualIndex(workTree)
  if (note !== null && note !== workTree.usualIndex) return null
  const known = recognize(workTree, base)
  if (known) return known
  const around = workTree.seen === undefined ? null : observeOthers(workTree, base.tree ?? base.id)
  const found = await stageOnce(workTree, base, mark)
  if (!found || (await findStrays(workTree, found.changes)).length > 0) return null
  if (found.changes.some(({ path }) => isIgnoreFile(path))) {
    // New rules may ignore a file that the agent stopped tracking earlier.
    workTree.usualIndex = null
    return null
  }
  if (workTree.seen !== undefined) workTree.seen = around && { ...around, ...found, base: base.id }
  return found
}

async function stageOnce(workTree: WorkTree, base: Baseline, mark: string): Promise<Snapshot | null> {
  const call = { workTree, mark, config: quietly }
  const ids = [base.id, base.tree ?? base.id]
  const { quick } = workTree
  if (!quick || !isSmall(workTree.index)) return readSnapshot(await tryGitScript(inspectScript, ids, call))
  const staging = stageQuickly(workTree, base.id, quick)
  const written = staging && writeStagedTree(workTree, base.id, quick, staging)
  const added = written ? null : await tryGit(addArguments, call)
  if (added && (added.exitCode !== 0 || added.stderr !== '')) return null
  const staged = written ?? writeStagedTree(workTree, base.id, quick)
  if (staged === null) return readSnapshot(await tryGitScript(treeScript, ids, call))
  const { tree, hasAttributes } = staged
  if (ids.includes(tree)) return { tree, changes: [] }
  const from = base.tree ?? quick.treeOf(base.id) ?? base.id
  const known = hasAttributes ? null : changesQuickly(from, tree, quick)
  return { tree, changes: known ?? (await compareTrees(base.id, tree, { workTree, mark })) }
}

function readSnapshot({ exitCode, stdout, stderr }: ProcessResult): Snapshot | null {
  if (exitCode !== 0 || stderr !== '') return null
  const end = stdout.indexOf('\n')
  return { tree: stdout.slice(0, end), changes: readChanges(stdout.slice(end + 1)) }
}

const quietly = ['advice.addEmbeddedRepo=false']

/** Returns nested repositories without a commit, because git refuses to add them. */
export async function stageAll(
  workTree: WorkTree,
  mayGrant: boolean,
  mark: string,
  refused: Refused = 'fails',
): Promise<string[]> {
  const result = await tryGit(addArguments, { workTree, mark, config: quietly })
  if (mayGrant && /Permission denied/.test(result.stderr)) {
    await grantAccess(workTree.path)
    return stageAll(workTree, false, mark, refused)
  }
  if (result.exitCode === 0) return []
  const errors = result.stderr.split('\n').filter((line) => /^(error|fatal):/.test(line))
  const unborn = errors.map((line) => /^error: '(.+)\/' does not have a commit checked out$/.exec(line)?.[1])
  const other = errors.find((_, at) => unborn[at] === undefined)
  if (errors.length === 0 || (other !== undefined && !(refused === 'left-out' && result.exitCode === 1))) {
    throw contentError(gitError(addArguments, { ...result, stderr: other ?? result.stderr }), result.stderr)
  }
  return unborn.filter((folder) => folder !== undefined)
}

/** Messages that blame git's own files or the disk, not the files to add. */
const ownFault = new RegExp(
  [
    'insufficient permission',
    'unable to create',
    'unable to write',
    'unable to open object',
    'object file',
    'loose object',
    'corrupt',
    String.raw`\.lock`,
    'index file',
    'bad (?:index|signature|object|config)',
    'unable to read',
    'Out of memory',
    'not a git repository',
    'repository format',
    'Too many open files',
    'Resource temporarily unavailable',
    'Cannot allocate',
  ].join('|'),
  'i',
)

/** When git refuses a file, the cause is the change itself, not the machine. */
function contentError(error: LooperError, stderr: string): LooperError {
  if (error.code !== 'WORKSPACE_GIT' || ownFault.test(stderr)) return error
  return new LooperError('WORKSPACE_CONTENT', error.message, { details: error.details })
}

/**
 * Changes that must not be part of the tree: files that Looper put here, and new gitlinks to repositories that are no
 * submodules.
 */
async function findStrays(workTree: WorkTree, changes: readonly Change[]): Promise<Change[]> {
  const links = changes.filter(({ from, to }) => isGitlink(to) && !isGitlink(from))
  const submodules =
    links.length === 0 ? '' : await readFile(join(workTree.path, '.gitmodules'), 'utf8').catch(() => '')
  const known = new Set(submodules.split('\n').map((line) => /^\s*path\s*=\s*(.+?)\s*$/.exec(line)?.[1]))
  return [
    ...changes.filter(({ path }) => isExcluded(path, workTree.foreign)),
    ...links.filter(({ path }) => !known.has(path)),
  ]
}

/** Sets the changed entries of the index to one side of the change. */
export async function setEntries(
  workTree: WorkTree,
  changes: readonly Change[],
  side: 'from' | 'to',
  mark: string,
): Promise<void> {
  await git(['update-index', '-z', '--index-info'], { workTree, mark, input: entryLines(changes, side) })
}

/** With the nested folder as the work tree, git ignores its `.git`. */
async function stageNested(workTree: WorkTree, folder: string, mark: string): Promise<void> {
  const inner: WorkTree = { ...workTree, path: join(workTree.path, folder), index: `${workTree.index}.nested` }
  await rm(inner.index, { force: true })
  await tryGit(['add', '--all', '--ignore-errors'], { workTree: inner, mark })
  const tree = await git(['write-tree'], { workTree: inner, mark })
  await rm(inner.index, { force: true })
  await git(['read-tree', `--prefix=${folder}/`, tree], { workTree, mark })
}

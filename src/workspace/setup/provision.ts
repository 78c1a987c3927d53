/**
 * Prepares a clean work tree for work: submodules, copied files, dependencies. These files are not part of any change.
 */
import { dirname } from 'node:path'
import type { Config } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { readNow } from '../../platform/files.ts'
import { runApart } from '../../platform/run-apart.ts'
import { deniedHint } from '../../platform/sandbox/denied-hint.ts'
import type { Sandbox } from '../../platform/sandbox/sandbox.ts'
import { stayInside } from '../../platform/stay-inside.ts'
import { plain } from '../../views/text/plain-text.ts'
import { withheldHint } from '../../views/facts/withheld-hint.ts'
import { copyFiles } from '../clones/copy-files.ts'
import { writeExcludes } from '../clones/excludes.ts'
import { cleanEnvironment, git } from '../git/git.ts'
import { nothingListed, type FileList } from './file-list.ts'
import { isIntact, readManifest, readRoots, recordManifest } from './setup-manifest.ts'
import { replaceFile, type WorkTree } from '../clones/work-tree.ts'
import type { ProductStore } from '../products/product-store.ts'
import { storedKey } from '../products/products-key.ts'
import { splitSetup } from '../products/stored-lines.ts'
import { setupReason } from './setup-reason.ts'
import { equipmentKey, readInputs, type SetupInputs } from './equipment-key.ts'

export interface Provisions {
  /** The user's checkout. */
  root: string
  copy: Config['workspace']['copy']
  /** Shell commands that the user configured. */
  setup: readonly string[]
  /** The user's global ignore rules. */
  ignoreRules: string
  env?: NodeJS.ProcessEnv
  /** Variables of the user that set-up does not get. */
  withheld?: readonly string[]
  /** Variables that the configuration sets for set-up. */
  own?: readonly string[]
  /** Removes secrets from the output of a failed command. */
  mask?: (text: string) => string
  signal?: AbortSignal
  /** The sandbox for set-up. Absent or null: it runs with the rights of the user. */
  sandbox?: Sandbox | null
  /** Called when a command ended well. */
  onSetup?: OnSetup
  /** Absent: set-up runs in each work tree. */
  products?: ProductsSource
}

/** Where stored products come from. */
export interface ProductsSource {
  store: ProductStore
  /** The commit that the run starts from. */
  base: string
  treeOf(commit: string, mark: string): Promise<string>
  /** Has the products of the commit made and stored, in a workspace that no agent enters. */
  make(commit: string, mark: string): Promise<unknown>
}

export type OnSetup = (command: string, durationMs: number) => void

/** The record of the last set-up, stored beside the work tree. */
interface Stamp {
  key: string
  foreign: string[]
}

const setupTimeoutMs = 60 * 60_000
/** With more new files than this, whole folders are ignored instead. */
const manyFiles = 500

export function readStamp(file: string): Stamp | null {
  const text = readNow(file)
  if (text === null) return null
  try {
    const { key, foreign }: Partial<Stamp> = JSON.parse(text.toString('utf8'))
    return typeof key === 'string' && Array.isArray(foreign)
      ? { key, foreign: foreign.filter((path) => typeof path === 'string') }
      : null
  } catch {
    return null
  }
}

/** The files that record a work tree's set-up. */
export interface SetupFiles {
  stamp: string
  manifest: string
}

export interface Provisioning {
  /** Null when the files are those of no commit. */
  commit: string | null
  /** False: the agent only reads, so set-up does not run. */
  setsUp: boolean
}

/**
 * The tree must be clean. Set-up runs once, and again when a manifest, a lock file or a copied file changes. Products
 * that are stored are copied instead.
 */
export async function provision(
  workTree: WorkTree,
  files: SetupFiles,
  provisions: Provisions,
  { commit, setsUp }: Provisioning,
  mark: string,
): Promise<void> {
  const { root, copy } = provisions
  const setup = setsUp ? provisions.setup : []
  const former = readStamp(files.stamp)
  const inputs = await inputsFor(workTree, setup, mark)
  const stale = setsUp && former?.key !== equipmentKey(workTree.path, provisions, inputs)
  const copied = await copyFiles(root, workTree.path, copy)
  workTree.foreign = union(workTree.foreign, copied)
  writeExcludes(workTree, provisions.ignoreRules)
  let listed = nothingListed
  if (stale) {
    const replaced = readRoots(files.manifest)
    listed = await setUp(workTree, { provisions, inputs, commit, replaced, aside: dirname(files.manifest) }, mark)
  }
  if (copied.length > 0 || (stale && setup.length > 0)) {
    workTree.foreign = union(workTree.foreign, await tidy(workTree, mark))
    writeExcludes(workTree, provisions.ignoreRules)
    await recordManifest(workTree, files.manifest, listed, mark)
  }
  if (!stale && copied.length === 0) return
  // Computed again, because set-up may create files that its commands name.
  const key = setsUp ? equipmentKey(workTree.path, provisions, inputs) : (former?.key ?? '')
  replaceFile(files.stamp, JSON.stringify({ key, foreign: workTree.foreign } satisfies Stamp))
}

/** Agents work on many trees in one work tree, so the tree itself does not count, only its package files. */
const inputsFor = async (workTree: WorkTree, setup: readonly string[], mark: string): Promise<SetupInputs> =>
  setup.length === 0 ? { tree: '', links: new Map(), files: new Map() } : readInputs(workTree, '', mark)

interface SettingUp {
  provisions: Provisions
  inputs: SetupInputs
  commit: string | null
  /** Paths that an earlier set-up created. */
  replaced: readonly string[]
  /** The folder of the files about the work tree. */
  aside: string
}

/** Returns the files that are listed already and were not changed since. */
async function setUp(workTree: WorkTree, settingUp: SettingUp, mark: string): Promise<FileList> {
  const { setup } = settingUp.provisions
  const copied = await copyStored(workTree, settingUp, mark)
  const lines = copied ? splitSetup(setup).rest : setup
  for (const line of lines) await runSetup(line, workTree.path, settingUp.provisions, mark)
  return copied && lines.length === 0 ? copied : nothingListed
}

/** Null when the whole set-up has to run here. */
async function copyStored(workTree: WorkTree, settingUp: SettingUp, mark: string): Promise<FileList | null> {
  const { provisions, inputs, commit, replaced, aside } = settingUp
  const { products } = provisions
  const key = await keyOfStored(workTree, provisions, inputs, commit, mark)
  if (!products || key === null || (commit === null && !products.store.has(key))) return null
  const wanted = { key, path: workTree.path, mark, replaced, aside }
  return products.store.copyInto(wanted, async () => commit !== null && products.make(commit, mark))
}

async function keyOfStored(
  { path }: WorkTree,
  provisions: Provisions,
  inputs: SetupInputs,
  commit: string | null,
  mark: string,
): Promise<string | null> {
  const { products } = provisions
  if (!products) return null
  const isBase = commit === products.base
  const tree = commit !== null && isBase ? await products.treeOf(commit, mark) : ''
  return storedKey({ path, setup: provisions, inputs: { ...inputs, tree }, isBase })
}

/** Has the products for the work tree at `commit` made and stored, unless they are. It gets none of them itself. */
export async function storeProducts(
  workTree: WorkTree,
  provisions: Provisions,
  commit: string,
  mark: string,
): Promise<void> {
  const { products, setup } = provisions
  if (!products || splitSetup(setup).stored.length === 0) return
  const key = await keyOfStored(workTree, provisions, await inputsFor(workTree, setup, mark), commit, mark)
  if (key !== null) await products.store.ensure(key, mark, () => products.make(commit, mark))
}

/**
 * Returns the set-up files that may stay when the work tree is reused: all of them, or none, so that set-up runs again.
 * An agent that changed a lock file has probably installed something.
 */
export async function keepSetup(
  workTree: WorkTree,
  files: SetupFiles,
  provisions: Provisions,
  mark: string,
): Promise<string[]> {
  const { setup } = provisions
  const stamp = readStamp(files.stamp)
  const manifest = stamp && readManifest(files.manifest)
  const isSame = async (): Promise<boolean> =>
    setup.length === 0 || equipmentKey(workTree.path, provisions, await inputsFor(workTree, setup, mark)) === stamp?.key
  const stays = async (): Promise<boolean> =>
    manifest !== null && (await isSame()) && (await isIntact(workTree.path, manifest))
  if (manifest && (await stays().catch(() => false))) return manifest.roots
  expireSetup(files, setup)
  return []
}

/** Makes the set-up commands run again next time, even if the lock files are the same. */
export function expireSetup({ stamp: file }: SetupFiles, setup: readonly string[]): void {
  const stamp = setup.length === 0 ? null : readStamp(file)
  if (stamp) replaceFile(file, JSON.stringify({ ...stamp, key: '' } satisfies Stamp))
}

type SetupOptions = Pick<Provisions, 'env' | 'withheld' | 'own' | 'mask' | 'signal' | 'sandbox' | 'onSetup'>

let commands = 0

export async function runSetup(line: string, cwd: string, options: SetupOptions, mark: string): Promise<void> {
  const { env, withheld, own, mask, signal, sandbox } = options
  const result = await runApart({
    argv: ['/bin/sh', '-c', line],
    cwd,
    env: { ...cleanEnvironment(env), ...stayInside(cwd) },
    signal,
    // A separate mark, so that ending leftover processes does not end a git of the same work.
    mark: `${mark}/setup${++commands}`,
    sandbox,
    tagged: true,
    ownHome: false,
    kept: own,
    timeoutMs: setupTimeoutMs,
    keepBytes: 64 * 1024,
  })
  if (result.exitCode === 0) return options.onSetup?.(line, result.durationMs)
  const output = (mask ?? String)(`${result.stdout}\n${result.stderr}`)
  const last = setupReason(output.split('\n').map((text) => plain(text, 200)))
  const how = result.timedOut
    ? 'took too long'
    : result.exitCode === null
      ? 'was ended'
      : `failed with exit code ${result.exitCode}`
  // Long messages are cut at the end, so the sandbox hint comes before the output.
  const unseen = withheldHint(output, withheld ?? [], 'workspace.pass')
  const parts = [sandbox ? deniedHint(output, cwd) : null, ...last, unseen]
  const said = last.length > 0 ? `: ${parts.filter((part) => part !== null).join(' | ')}` : '.'
  throw new LooperError('WORKSPACE_SETUP', `The set-up command \`${plain(line, 200)}\` ${how}${said}`, {
    details: { command: line, exitCode: result.exitCode, output: output.slice(-4_000) },
  })
}

/** Restores tracked files that set-up changed, and returns the new files. */
async function tidy(workTree: WorkTree, mark: string): Promise<string[]> {
  const listFiles = async (untracked: 'all' | 'normal'): Promise<string[]> => {
    const args = [
      'status',
      '--porcelain=v1',
      '-z',
      '--no-renames',
      '--ignore-submodules=all',
      `--untracked-files=${untracked}`,
    ]
    return (await git(args, { workTree, mark })).split('\0').filter((entry) => entry !== '')
  }
  const isNew = (entry: string): boolean => entry.startsWith('??')
  const entries = await listFiles('all')
  const changed = entries.filter((entry) => !isNew(entry) && entry[1] !== ' ').map((entry) => entry.slice(3))
  if (changed.length > 0)
    await git(['checkout-index', '--force', '-z', '--stdin'], { workTree, mark, input: changed.join('\0') + '\0' })
  const found = entries.filter(isNew).length > manyFiles ? await listFiles('normal') : entries
  return found.filter(isNew).map((entry) => entry.slice(3))
}

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])]

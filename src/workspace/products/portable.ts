/**
 * Checks whether the products of set-up work in another workspace. Virtual environments, the programs of pnpm and
 * compiled add-ons name the workspace that they were made in.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { runProcess } from '../../platform/run-process.ts'
import { isFile, isLink, parentOf, pathOf, type Entry, type Manifest } from '../clones/manifest.ts'

/** Larger files are not read. */
const mostBytes = 256 * 1024 * 1024
/** Fewer than the operating system accepts on one command line. */
const mostRoots = 200
/** How much is read before the event loop can run other work. */
const batchBytes = 2 * 1024 * 1024

/**
 * The reason why the products are bound to the workspace at `root`; null when they are not. `roots` are the topmost
 * paths of the products.
 */
export async function findBinding(
  root: string,
  products: Manifest,
  roots: readonly string[],
  mark: string,
): Promise<string | null> {
  const needles = spellings(root)
  const files: [string, Entry][] = []
  for (const [path, entry] of products) {
    if (entry.folder) continue
    if (isFile(entry) && sizeOf(entry) <= mostBytes) files.push([path, entry])
    else if (!isLink(entry) || linkBinds(root, path, needles)) return reason(path)
  }
  // grep would follow a link that is named on its command line.
  const searched = roots.filter((each) => {
    const entry = products.get(Buffer.from(each).toString('latin1'))
    return entry !== undefined && !isLink(entry)
  })
  const found = searched.length === 0 ? 'nothing' : await grep(root, searched, needles, mark)
  if (found === 'nothing') return null
  return found === 'unknown' ? searchWithNode(root, files, needles) : reason(found.path)
}

const reason = (path: string): string => `${Buffer.from(path, 'latin1').toString()} names its workspace`

/** The path as programs write it into files: as it is, in an address, and in a string of JSON or C. */
const spellings = (root: string): Buffer[] =>
  [...new Set([root, encodeURI(root), JSON.stringify(root).slice(1, -1)])].map((text) => Buffer.from(text))

const sizeOf = ({ base }: Entry): number => Number(base.split(':')[1])

/** One process searches all files in a fraction of the time that Node needs, and beside this thread. */
async function grep(
  root: string,
  roots: readonly string[],
  needles: readonly Buffer[],
  mark: string,
): Promise<'nothing' | 'unknown' | { path: string }> {
  const patterns = needles.map(String)
  // A line break separates two patterns.
  const isPossible = roots.length <= mostRoots && !patterns.some((text) => text.includes('\n'))
  if (process.platform !== 'linux' || !isPossible) return 'unknown'
  const options = ['-r', '-l', '-a', '-F', '--null', ...patterns.flatMap((text) => ['-e', text])]
  const argv: [string, ...string[]] = ['grep', ...options, '--', ...roots.map((each) => `./${each}`)]
  const env = { ...process.env, LC_ALL: 'C', GREP_OPTIONS: '' }
  const { exitCode, stdout } = await runProcess({ argv, cwd: root, mark, env, encoding: 'latin1' })
  if (exitCode === 0) return { path: (stdout.split('\0')[0] ?? '').replace(/^\.\//, '') }
  return exitCode === 1 ? 'nothing' : 'unknown'
}

/** A file that cannot be searched counts as bound. */
async function searchWithNode(
  root: string,
  files: readonly [string, Entry][],
  needles: readonly Buffer[],
): Promise<string | null> {
  let read = 0
  for (const [path, entry] of files) {
    if (fileBinds(root, path, needles)) return reason(path)
    read += sizeOf(entry) + 4096
    if (read < batchBytes) continue
    read = 0
    await setImmediate()
  }
  return null
}

function fileBinds(root: string, path: string, needles: readonly Buffer[]): boolean {
  try {
    const content = readFileSync(pathOf(root, path))
    return needles.some((needle) => content.includes(needle))
  } catch {
    return true
  }
}

/** Whether a link leads into its workspace by an absolute path, or out of it by a relative one. */
function linkBinds(root: string, path: string, needles: readonly Buffer[]): boolean {
  try {
    const target = readlinkSync(pathOf(root, path), 'buffer')
    const text = target.toString('latin1')
    if (text.startsWith('/')) return needles.some((needle) => target.includes(needle))
    const led = posix.join(parentOf(path), text)
    return led === '..' || led.startsWith('../')
  } catch {
    return true
  }
}

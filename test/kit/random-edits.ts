/** Random edits in a checkout, as an agent could make them, to compare what Looper and git find. */
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import type { Repository } from './repository.ts'

const paths = ['a', 'src/a', 'src/b', 'cache/x', 'cache/.gitignore', '.gitignore', 'lib/ä\n', 'lib/deep/x', 'x.log']
const contents = ['one', 'two', 'six', '*\n', '*.log\n', '!x\n']
const folders = ['src', 'cache', 'lib']

/** `aside` is a folder beside the checkout. */
export interface EditedCheckout {
  root: string
  aside: string
  git: Repository['git']
}

type Edit = (checkout: EditedCheckout, path: string, content: string) => void

const full = ({ root }: EditedCheckout, path: string): string => join(root, path)
const folderOf = (path: string): string => folders.find((name) => path.startsWith(name)) ?? 'src'

const edits: Record<string, Edit> = {
  write(checkout, path, content) {
    mkdirSync(dirname(full(checkout, path)), { recursive: true })
    writeFileSync(full(checkout, path), content)
  },
  /** Restores size and time. */
  forge(checkout, path, content) {
    const { atime, mtime } = statSync(full(checkout, path))
    writeFileSync(full(checkout, path), content)
    utimesSync(full(checkout, path), atime, mtime)
  },
  append: (checkout, path, content) => appendFileSync(full(checkout, path), content),
  remove: (checkout, path) => rmSync(full(checkout, path)),
  run: (checkout, path) => chmodSync(full(checkout, path), lstatSync(full(checkout, path)).mode ^ 0o111),
  future: (checkout, path) => utimesSync(full(checkout, path), 4_000_000_000, 4_000_000_000),
  link(checkout, path, content) {
    rmSync(full(checkout, path))
    symlinkSync(content, full(checkout, path))
  },
  hardLink: (checkout, path) => linkSync(full(checkout, path), join(checkout.aside, 'linked')),
  writeLinked: (checkout, _, content) => writeFileSync(join(checkout.aside, 'linked'), content),
  replace(checkout, path, content) {
    writeFileSync(`${checkout.aside}/new`, content)
    renameSync(`${checkout.aside}/new`, full(checkout, path))
  },
  becomeFolder(checkout, path) {
    rmSync(full(checkout, path))
    mkdirSync(full(checkout, path))
  },
  moveAway: (checkout, path) => renameSync(full(checkout, folderOf(path)), join(checkout.aside, folderOf(path))),
  moveBack: (checkout, path) => renameSync(join(checkout.aside, folderOf(path)), full(checkout, folderOf(path))),
  linkFolder: (checkout, path) => symlinkSync(join(checkout.aside, folderOf(path)), full(checkout, folderOf(path))),
  unlinkFolder: (checkout, path) =>
    lstatSync(full(checkout, folderOf(path))).isSymbolicLink() && rmSync(full(checkout, folderOf(path))),
  /** Git writes the usual index. */
  refresh: ({ git }) => void git('update-index', '--really-refresh', '-q'),
  exclude: ({ root }, path) => writeFileSync(join(root, '.git/info/exclude'), `${path}\n`),
  assume: ({ git }, path) => void git('update-index', '--assume-unchanged', path),
  skip: ({ git }, path) => void git('update-index', '--skip-worktree', path),
  intend: ({ git }, path) => void git('add', '--intent-to-add', path),
  wait: (checkout) => void checkout,
}

/** An edit that is not possible there does nothing. */
export function perform(checkout: EditedCheckout, [name, path, content]: [string, string, string]): void {
  try {
    edits[name]?.(checkout, path, content)
  } catch {
    // Such as the removal of a file that is not there.
  }
}

export const someEdit = fc.tuple(
  fc.constantFrom(...Object.keys(edits)),
  fc.constantFrom(...paths),
  fc.constantFrom(...contents),
)

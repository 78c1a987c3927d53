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
export interface Place {
  root: string
  aside: string
  git: Repository['git']
}

type Edit = (place: Place, path: string, content: string) => void

const full = ({ root }: Place, path: string): string => join(root, path)
const folderOf = (path: string): string => folders.find((name) => path.startsWith(name)) ?? 'src'

const edits: Record<string, Edit> = {
  write(place, path, content) {
    mkdirSync(dirname(full(place, path)), { recursive: true })
    writeFileSync(full(place, path), content)
  },
  /** Restores size and time. */
  forge(place, path, content) {
    const { atime, mtime } = statSync(full(place, path))
    writeFileSync(full(place, path), content)
    utimesSync(full(place, path), atime, mtime)
  },
  append: (place, path, content) => appendFileSync(full(place, path), content),
  remove: (place, path) => rmSync(full(place, path)),
  run: (place, path) => chmodSync(full(place, path), lstatSync(full(place, path)).mode ^ 0o111),
  future: (place, path) => utimesSync(full(place, path), 4_000_000_000, 4_000_000_000),
  link(place, path, content) {
    rmSync(full(place, path))
    symlinkSync(content, full(place, path))
  },
  hardLink: (place, path) => linkSync(full(place, path), join(place.aside, 'linked')),
  writeLinked: (place, _, content) => writeFileSync(join(place.aside, 'linked'), content),
  replace(place, path, content) {
    writeFileSync(`${place.aside}/new`, content)
    renameSync(`${place.aside}/new`, full(place, path))
  },
  becomeFolder(place, path) {
    rmSync(full(place, path))
    mkdirSync(full(place, path))
  },
  moveAway: (place, path) => renameSync(full(place, folderOf(path)), join(place.aside, folderOf(path))),
  moveBack: (place, path) => renameSync(join(place.aside, folderOf(path)), full(place, folderOf(path))),
  linkFolder: (place, path) => symlinkSync(join(place.aside, folderOf(path)), full(place, folderOf(path))),
  unlinkFolder: (place, path) =>
    lstatSync(full(place, folderOf(path))).isSymbolicLink() && rmSync(full(place, folderOf(path))),
  /** Git writes the usual index. */
  refresh: ({ git }) => void git('update-index', '--really-refresh', '-q'),
  exclude: ({ root }, path) => writeFileSync(join(root, '.git/info/exclude'), `${path}\n`),
  assume: ({ git }, path) => void git('update-index', '--assume-unchanged', path),
  skip: ({ git }, path) => void git('update-index', '--skip-worktree', path),
  intend: ({ git }, path) => void git('add', '--intent-to-add', path),
  wait: (place) => void place,
}

/** An edit that is not possible there does nothing. */
export function perform(place: Place, [name, path, content]: [string, string, string]): void {
  try {
    edits[name]?.(place, path, content)
  } catch {
    // Such as the removal of a file that is not there.
  }
}

export const someEdit = fc.tuple(
  fc.constantFrom(...Object.keys(edits)),
  fc.constantFrom(...paths),
  fc.constantFrom(...contents),
)

/**
 * What the machine offers to a check besides the files of the project: the folders of PATH, the programs that the
 * command names, and the packages of Python. A few calls of `stat`, so a removed runner is noticed without starting it.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'

const mostWords = 40
const pythons = ['python3', 'python']

/** Equal while nothing was installed, removed or replaced that the command is likely to use. */
export async function machinePrograms(command: string, path: string, home: string): Promise<string[]> {
  const folders = [...new Set(path.split(delimiter).filter(isAbsolute))]
  const words = [...new Set(command.match(/[\w@%+./-]+/g) ?? [])].slice(0, mostWords)
  const found = await Promise.all([
    ...folders.map(stampOf),
    ...words.filter((word) => !word.includes('/')).map((word) => programIn(folders, word)),
    ...words.filter(isAbsolute).map(stampOf),
    ...pythons.map((name) => packagesOf(folders, name, home)),
  ])
  return found.filter((stamp) => stamp !== null)
}

/** The file behind links, so that a link to another version counts. */
async function stampOf(path: string): Promise<string | null> {
  const target = await realpath(path).catch(() => null)
  const found = target && (await stat(target).catch(() => null))
  return found ? `${target} ${found.mtimeMs} ${found.size}` : null
}

const firstIn = async (folders: readonly string[], name: string): Promise<string | null> => {
  for (const folder of folders) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found?.isFile()) return join(folder, name)
  }
  return null
}

async function programIn(folders: readonly string[], name: string): Promise<string | null> {
  const path = await firstIn(folders, name)
  return path && stampOf(path)
}

/** Folders change when a package is added or removed. A virtual environment has its own beside its program. */
async function packagesOf(folders: readonly string[], name: string, home: string): Promise<string | null> {
  const path = await firstIn(folders, name)
  if (path === null) return null
  const target = await realpath(path).catch(() => path)
  const prefixes = [dirname(dirname(path)), dirname(dirname(target)), '/usr/local', join(home, '.local')]
  const stamps = await Promise.all([...new Set(prefixes)].map((prefix) => packagesBelow(join(prefix, 'lib'))))
  return stamps.flat().join('\n')
}

async function packagesBelow(folder: string): Promise<(string | null)[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('python'))
  const paths = names.toSorted().flatMap((name) => [`${name}/site-packages`, `${name}/dist-packages`])
  return Promise.all(paths.map((path) => stampOf(join(folder, path))))
}

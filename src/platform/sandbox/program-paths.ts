/** Finds a program on the PATH as the system does, and the files that belong to it. */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside } from './rules.ts'

/**
 * The error that starting the program would cause; null when it can be started. In the sandbox, only a shell would
 * report it.
 */
export function startError(program: string, cwd: string, path: string): NodeJS.ErrnoException | null {
  const folders = program.includes('/') ? [cwd] : path.split(delimiter)
  let code = 'ENOENT'
  for (const folder of folders) {
    const found = codeOf(resolve(cwd, folder, program))
    if (found === null) return null
    if (found === 'EACCES') code = found
  }
  return Object.assign(new Error(`spawn ${program} ${code}`), { code })
}

function codeOf(file: string): 'ENOENT' | 'EACCES' | null {
  // An exception takes longer than a test for existence, and most folders of the PATH do not have the program.
  if (!existsSync(file)) return 'ENOENT'
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile() ? null : 'EACCES'
  } catch {
    return 'EACCES'
  }
}

/**
 * Paths that a command must be able to read: the files that `words` name, and the folders of the PATH. A script is
 * readable with its whole folder. If that folder contains one of `apart`, only the script is readable.
 */
export function programPaths(words: readonly string[], path: string, apart: readonly string[]): string[] {
  const files = words.filter((word) => isAbsolute(word) && existsSync(word))
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  // A link and its target may lie in different packages.
  const linked = files.flatMap((file) => [file, realpathSync(file)])
  const found = [...linked.map((file) => bundleOf(file, apart)), ...folders.map((folder) => environmentOf(folder))]
  return [...new Set(found)]
}

function bundleOf(file: string, apart: readonly string[]): string {
  const modules = outermostModules(file)
  if (modules !== null) return modules
  const folder = statSync(file).isDirectory() ? file : dirname(file)
  return apart.some((path) => path === folder || isInside(path, folder)) ? file : folder
}

/** A folder of programs may belong to a Python environment or to installed packages. These are readable as a whole. */
function environmentOf(folder: string): string {
  if (existsSync(join(dirname(folder), 'pyvenv.cfg'))) return dirname(folder)
  return outermostModules(folder) ?? folder
}

function outermostModules(path: string): string | null {
  const at = path.indexOf('/node_modules/')
  return at < 0 ? null : path.slice(0, at + '/node_modules'.length)
}

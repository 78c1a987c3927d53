/** Finds files of environment variables that are in the checkout and not in a workspace: git does not track them. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'

const isEnvFile = (name: string): boolean =>
  /^\.env(?:rc|\.[\w.-]+)?$/.test(name) && !/example|sample|template|dist$/.test(name)

/** The checkout, a workspace, and the folders to search in both. */
export interface EnvFilePlaces {
  root: string
  workspace: string
  folders: readonly string[]
}

/**
 * The folders of the checkout in which a check may look for its files: those that its command line names, as in
 * `cd packages/api && npm test` or `npm test --prefix packages/api`, then the root.
 */
export function foldersOfCheck(command: string, root: string): string[] {
  const named = (command.match(/[\w@%+./-]+/g) ?? []).map((word) => normalize(word).replace(/\/$/, ''))
  const isFolder = (path: string): boolean =>
    !path.startsWith('/')
    && !path.split('/').includes('..')
    && lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true
  return [...new Set([...named.filter((path) => path !== '.' && isFolder(path)), '.'])]
}

/** The path of the first such file that sets the variable; null when there is none. */
export const envFileWith = (variable: string, places: EnvFilePlaces): string | null => {
  const sets = new RegExp(`^\\s*(?:export\\s+)?${variable}\\s*=`, 'm')
  return firstMissing(
    places,
    (folder) => readdirSync(folder).filter(isEnvFile).toSorted(),
    (file) => sets.test(readFileSync(file, 'utf8')),
  )
}

/** The path of the file with that name; null when there is none. */
export const envFileNamed = (name: string, places: EnvFilePlaces): string | null =>
  firstMissing(places, () => [name], existsSync)

/** The path of the first file that the checkout has and the workspace lacks. */
function firstMissing(
  { root, workspace, folders }: EnvFilePlaces,
  namesIn: (folder: string) => string[],
  fits: (file: string) => boolean,
): string | null {
  for (const folder of folders) {
    try {
      const paths = namesIn(join(root, folder)).map((name) => join(folder, name))
      const found = paths.find((path) => !existsSync(join(workspace, path)) && fits(join(root, path)))
      if (found !== undefined) return found
    } catch {
      // The folder or a file cannot be read.
    }
  }
  return null
}

/**
 * Finds the object stores of a repository. Clones that borrow objects need to read these folders, and nothing else of
 * the repository.
 */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readNow } from '../files.ts'

/** The repository's own store first, then its alternates, then the stores of its submodules. */
export function objectStores(commonDir: string): string[] {
  const found: string[] = []
  const visit = (folder: string): void => {
    if (found.includes(folder)) return
    found.push(folder)
    const lines =
      readNow(join(folder, 'info', 'alternates'))
        ?.toString('utf8')
        .split('\n') ?? []
    for (const line of lines) if (line !== '' && !line.startsWith('#')) visit(resolve(folder, line))
  }
  visit(join(commonDir, 'objects'))
  for (const store of moduleStores(join(commonDir, 'modules'))) visit(store)
  return found
}

/** Names of submodules may contain slashes, and submodules may be nested. */
function moduleStores(folder: string): string[] {
  const names = listed(folder)
  const isRepository = names.includes('HEAD') && names.includes('objects')
  if (isRepository) return [join(folder, 'objects'), ...moduleStores(join(folder, 'modules'))]
  return names.flatMap((name) => moduleStores(join(folder, name)))
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

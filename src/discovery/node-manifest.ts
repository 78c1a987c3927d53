/** Reads the parts of a package.json that discovery needs. */

export interface Manifest {
  name: string | null
  scripts: ReadonlyMap<string, string>
  /** Names of all dependencies, also those for development. */
  dependencies: ReadonlySet<string>
  /** Globs of the workspaces' folders. */
  workspaces: readonly string[]
  packageManager: string | null
}

/** Null when the text is not a JSON object. */
export function parseManifest(text: string): Manifest | null {
  const value = parse(text)
  if (value === null) return null
  const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return {
    name: typeof value['name'] === 'string' ? value['name'] : null,
    scripts: new Map(
      Object.entries(objectOf(value['scripts'])).filter((entry): entry is [string, string] => isReal(entry[1])),
    ),
    dependencies: new Set(lists.flatMap((key) => Object.keys(objectOf(value[key])))),
    workspaces: globsOf(value['workspaces']),
    packageManager: typeof value['packageManager'] === 'string' ? value['packageManager'] : null,
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

/** `npm init` writes a test script that only prints an error. */
const isReal = (script: unknown): boolean =>
  typeof script === 'string' && script.trim() !== '' && !script.includes('no test specified')

function globsOf(value: unknown): string[] {
  const globs = Array.isArray(value) ? value : (objectOf(value) as Record<string, unknown>)['packages']
  return Array.isArray(globs) ? globs.filter((glob) => typeof glob === 'string') : []
}

/**
 * Checks whether an installation may run scripts of dependencies, which can read any file of the tree, or copy packages
 * out of the tree. Where the lock file does not say so, the answer is yes.
 */
import { textsOf, type PackageFiles } from './package-files.ts'

export type NodeManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const locks: Record<NodeManager, RegExp> = {
  npm: /^(?:package-lock|npm-shrinkwrap)\.json$/i,
  pnpm: /^pnpm-lock\.yaml$/i,
  yarn: /^yarn\.lock$/i,
  bun: /^bun\.lockb?$/i,
}
const manifest = /^package\.json$/i

/** Packages whose scripts only fetch or build their own binary, from the public registry. */
const harmless =
  /^https:\/\/registry\.npmjs\.org\/(?:esbuild|fsevents|core-js|core-js-pure|@swc\/core|unrs-resolver)\/-\/[\w.-]+$/

interface LockedPackage {
  resolved?: unknown
  link?: unknown
  hasInstallScript?: unknown
}

interface NpmLock {
  packages?: Record<string, LockedPackage>
  dependencies?: Record<string, unknown>
}

export function runsDependencyScripts(manager: NodeManager, line: string, files: PackageFiles): boolean {
  const texts = textsOf(files, locks[manager])
  if (manager === 'npm') return runsInNpm(texts, files, !line.startsWith('npm ci'))
  if (texts.length === 0) return namesOf(files).length > 0
  if (manager === 'pnpm') return runsInPnpm(texts, files)
  return manager === 'yarn' ? runsInYarn(texts, files) : texts.some((text) => !/"packages"\s*:\s*\{\s*\}/.test(text))
}

/** Whether a dependency lies in the tree and is not just linked. */
export function copiesFromTree(manager: NodeManager, files: PackageFiles): boolean {
  const texts = textsOf(files, locks[manager])
  if (manager === 'npm') return texts.some((text) => someLocked(text, isInTree))
  return [...texts, ...textsOf(files, manifest)].some((text) => /\bfile:|"injected"/.test(text))
}

/** `npm install` also installs dependencies that the lock file does not have yet. */
function runsInNpm(texts: readonly string[], files: PackageFiles, addsMissing: boolean): boolean {
  if (texts.some((text) => someLocked(text, runsScript))) return true
  if (!addsMissing) return false
  const locked = new Set(texts.flatMap((text) => Object.keys(packagesOf(text)).map(nameIn)))
  return namesOf(files).some((name) => !locked.has(name))
}

const comesFrom = (resolved: unknown, pattern: RegExp): boolean =>
  typeof resolved === 'string' && pattern.test(resolved)

const isInTree = ({ resolved, link }: LockedPackage): boolean =>
  link !== true && resolved !== undefined && !comesFrom(resolved, /^https?:/)

const runsScript = ({ resolved, hasInstallScript }: LockedPackage): boolean =>
  hasInstallScript !== undefined && hasInstallScript !== false && !comesFrom(resolved, harmless)

/** The project's own packages do not count. A lock file in an old or unknown format counts as a match. */
function someLocked(text: string, matches: (found: LockedPackage) => boolean): boolean {
  try {
    return Object.entries(packagesOf(text)).some(([path, found]) => path.includes('node_modules/') && matches(found))
  } catch {
    return true
  }
}

function packagesOf(text: string): Record<string, LockedPackage> {
  const { packages, dependencies = {} } = JSON.parse(text) as NpmLock
  if (packages === undefined && Object.keys(dependencies).length > 0) throw new Error('lockfileVersion 1')
  return packages ?? {}
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Dependencies that the manifests name. An unreadable manifest counts as one. */
function namesOf(files: PackageFiles): string[] {
  return textsOf(files, manifest).flatMap((text) => {
    try {
      const found = JSON.parse(text) as Record<string, Record<string, unknown> | undefined>
      const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
      return groups.flatMap((group) => Object.keys(found[group] ?? {}))
    } catch {
      return ['']
    }
  })
}

/** pnpm 10 and later run no scripts of dependencies unless a setting allows it. Format 9 does not name the scripts. */
function runsInPnpm(texts: readonly string[], files: PackageFiles): boolean {
  const settings = textsOf(files, /^(?:package\.json|pnpm-workspace\.yaml|\.npmrc)$/i)
  if (settings.some((text) => /(?:only|never)-?built-?dependencies|allow-?builds|all-?builds/i.test(text))) return true
  if (/"packageManager"\s*:\s*"pnpm@[1-9]\d/.test(files.get('package.json') ?? '')) return false
  const namesScripts = /^lockfileVersion: '?[56]\./m
  return texts.some(
    (text) => /^packages:/m.test(text) && (!namesScripts.test(text) || text.includes('requiresBuild: true')),
  )
}

function runsInYarn(texts: readonly string[], files: PackageFiles): boolean {
  const isOff =
    /^enableScripts:\s*false\s*$/m.test(files.get('.yarnrc.yml') ?? '')
    && !textsOf(files, manifest).some((text) => /"built"\s*:\s*true/.test(text))
  return !isOff && texts.some((text) => /^ +(?:resolved |resolution: (?!.*@workspace:))/m.test(text))
}

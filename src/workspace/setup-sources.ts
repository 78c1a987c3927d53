/**
 * Checks whether set-up may read any file of the tree, as a build or a code generator does. Its products are then valid
 * for that tree only. The package managers listed here read only manifests and lock files, unless a manifest has a
 * script that they run. Others (uv, poetry, pipenv, bundler, composer) may build or copy packages of the tree itself.
 */
import { readNow } from '../platform/files.ts'
import { pathOf, type Manifest } from './manifest.ts'
import { namesPackagesOnly } from './pip-requirements.ts'
import { isInside, readFileOf } from './setup.ts'

const installs = new RegExp(
  `^(?:${[
    'npm (?:ci|install|i)',
    'pnpm (?:install|i)',
    'yarn(?: install)?',
    'bun (?:install|i)',
    'corepack enable',
    'cargo fetch',
    'go mod download',
    'mix deps\\.get',
    'dotnet restore',
  ].join('|')})(?: -{1,2}[\\w=./:-]+)*$`,
)

/** Options that take a file are not accepted, because `setupInputsKey` does not read that file. */
const pipInstalls = new RegExp(
  String.raw`^(?:python3? -m )?pip3? install((?: -r [\w./-]+)+)`
    + String.raw`(?: -[qU]| --[a-z-]+| --(?:extra-)?index-url=https?://[\w./:-]+)*$`,
)

const nodeInstalls = /^(?:npm|pnpm|yarn|bun)\b/
const lifecycle = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
/** Commands that only install git hooks, which checks do not run. */
const writesHooks = /^(?:(?:is-ci \|\| )?husky(?: install)?(?: \|\| true)?|lefthook install|simple-git-hooks)$/

/** `manifest` lists the workspace. Files that set-up created there do not count. */
export function setupReadsSources(root: string, manifest: Manifest, setup: readonly string[]): boolean {
  const lines = setup.map((line) => line.trim())
  if (lines.some((line) => !installs.test(line) && !installsPackages(root, line))) return true
  const runsScripts = lines.some((line) => nodeInstalls.test(line) && !line.includes('--ignore-scripts'))
  if (!runsScripts) return false
  const own = [...manifest].flatMap(([path, { brought }]) =>
    brought || /(?:^|\/)node_modules\//.test(path) ? [] : [path],
  )
  return (
    own.some((path) => path === 'binding.gyp')
    || own.some(
      (path) =>
        /(?:^|\/)package\.json$/.test(path) && hasScripts(readNow(pathOf(root, path).toString())?.toString() ?? ''),
    )
  )
}

/**
 * Whether pip installs only packages from an index. A requirements file outside the tree may contain anything, so it
 * counts as false.
 */
function installsPackages(root: string, line: string): boolean {
  const files = pipInstalls.exec(line)?.[1]?.split(' -r ').slice(1) ?? []
  return (
    files.length > 0
    && files.every((file) => {
      const text = isInside(file) ? readFileOf(root, file)?.toString() : undefined
      return text !== undefined && namesPackagesOnly(text)
    })
  )
}

const isHooks = (script: unknown): boolean => typeof script === 'string' && writesHooks.test(script.trim())

/** An unreadable manifest counts as having scripts. */
function hasScripts(text: string): boolean {
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, unknown> }
    return lifecycle.some((name) => scripts[name] !== undefined && !isHooks(scripts[name]))
  } catch {
    return true
  }
}

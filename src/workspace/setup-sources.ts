/**
 * Whether set-up may read any file of the tree, as a build or a code generator does. What it makes is then good for that
 * tree alone. A package manager reads manifests and lock files only, unless a manifest has a script that it runs.
 */
import { readNow } from '../platform/files.ts'
import { pathOf, type Manifest } from './manifest.ts'

const installs = new RegExp(`^(?:${[
  'npm (?:ci|install|i)', 'pnpm (?:install|i)', 'yarn(?: install)?', 'bun (?:install|i)', 'corepack enable',
  'uv sync', 'poetry install', 'pipenv (?:install|sync)', String.raw`(?:python3? -m )?pip3? install -r \S+`,
  'bundle install', 'cargo fetch', 'go mod download', 'composer install', 'mix deps\\.get', 'dotnet restore',
].join('|')})(?: -{1,2}[\\w=./:-]+)*$`)

const nodeInstalls = /^(?:npm|pnpm|yarn|bun)\b/
const lifecycle = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
/** These write only hooks of git, which checks do not run. */
const writesHooks = /^(?:(?:is-ci \|\| )?husky(?: install)?(?: \|\| true)?|lefthook install|simple-git-hooks)$/

/** `manifest` lists the workspace; what set-up brought to it does not count. */
export function setupReadsSources(root: string, manifest: Manifest, setup: readonly string[]): boolean {
  const lines = setup.map((line) => line.trim())
  if (lines.some((line) => !installs.test(line))) return true
  const runsScripts = lines.some((line) => nodeInstalls.test(line) && !line.includes('--ignore-scripts'))
  if (!runsScripts) return false
  const own = [...manifest].flatMap(([path, { brought }]) => (brought || /(?:^|\/)node_modules\//.test(path) ? [] : [path]))
  return own.some((path) => path === 'binding.gyp') ||
    own.some((path) => /(?:^|\/)package\.json$/.test(path) && hasScripts(readNow(pathOf(root, path).toString())?.toString() ?? ''))
}

const isHooks = (script: unknown): boolean => typeof script === 'string' && writesHooks.test(script.trim())

/** A manifest that cannot be read may have any. */
function hasScripts(text: string): boolean {
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, unknown> }
    return lifecycle.some((name) => scripts[name] !== undefined && !isHooks(scripts[name]))
  } catch {
    return true
  }
}

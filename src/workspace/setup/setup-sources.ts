/**
 * Checks whether set-up may read any file of the tree, as a build or a code generator does. Its products are then valid
 * for that tree only. The package managers listed here read only manifests and lock files, unless a manifest has a
 * script that they run. Others (uv, poetry, pipenv, bundler, composer) may build or copy packages of the tree itself.
 */
import { copiesFromTree, runsDependencyScripts, type NodeManager } from './dependency-scripts.ts'
import { settingsReadSources } from './install-settings.ts'
import { textsOf, type PackageFiles } from './package-files.ts'
import { namesPackagesOnly } from './pip-requirements.ts'
import { isInside, readFileOf } from './setup.ts'

/** Options with a value that is no file, and options that name a folder, whose package files are in the key. */
const valued = [
  'cache|store-dir|registry|loglevel|log-level|reporter|omit|include|only|mode|ignore-scripts|network-[a-z-]+',
  'fetch-[a-z-]+|maxsockets|prefer-[a-z-]+|audit|fund|progress|verbosity|verbose|frozen-lockfile',
]
const folderOption = /^--(?:prefix|dir|cwd|manifest-path|directory)=(.+)$/
const option = new RegExp(String.raw`^(?:-[a-zA-Z]|--[a-z][a-z-]*|--(?:${valued.join('|')})=[\w./:@-]+)$`)

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
  ].join('|')})((?: -{1,2}[\\w=./:@-]+)*)$`,
)

/** Whether the command is a known package manager that installs what manifests and lock files of the tree name. */
export function isInstall(line: string): boolean {
  const options = installs.exec(line)?.[1]?.split(' ').slice(1)
  const isKnown = (each: string): boolean =>
    option.test(each) || (isInside(folderOption.exec(each)?.[1] ?? '/') && !each.includes('//'))
  return options?.every(isKnown) === true
}

const inFolder = /^cd ([\w@%+./-]+) && (.+)$/

/** The command of `cd folder && command`, for a folder of the tree; every other line is returned unchanged. */
export function withoutFolder(line: string): string {
  const [, folder = '/', command = line] = inFolder.exec(line) ?? []
  return isInside(folder) ? command : line
}

/** Options that take a file are not accepted, because `setupInputsKey` does not read that file. */
const pipInstalls = new RegExp(
  String.raw`^(?:python3? -m )?pip3? install((?: -r [\w./-]+)+)`
    + String.raw`(?: -[qU]| --[a-z-]+| --(?:extra-)?index-url=https?://[\w./:-]+)*$`,
)

const nodeInstall = /^(npm|pnpm|yarn|bun)\b/
const skipsScripts = / --(?:ignore-scripts(?:=true)?|mode=skip-build)(?= |$)/
/** Scripts of a manifest that package managers run when they install. */
const lifecycle = /^(?:pre|post)?(?:install|prepare|prepublish|dependencies)$|^pnpm:/
/** Commands that only install git hooks, which checks do not run. */
const writesHooks = /^(?:(?:is-ci \|\| )?husky(?: install)?(?: \|\| true)?|lefthook install|simple-git-hooks)$/

/** `files` are the package files of the tree. One that is not a plain file may lead anywhere. */
export function setupReadsSources(root: string, files: PackageFiles, setup: readonly string[]): boolean {
  const lines = setup
    .map((line) => line.trim())
    .map((line) => (isInstall(withoutFolder(line)) ? withoutFolder(line) : line))
  if (lines.some((line) => !isInstall(line) && !installsPackages(root, line))) return true
  if ([...files.values()].includes(null)) return true
  return lines.some((line) => {
    const manager = nodeInstall.exec(line)?.[1] as NodeManager | undefined
    return manager !== undefined && installReadsSources(manager, line, files)
  })
}

function installReadsSources(manager: NodeManager, line: string, files: PackageFiles): boolean {
  if (settingsReadSources(manager, files) || copiesFromTree(manager, files)) return true
  if (skipsScripts.test(line)) return false
  return (
    textsOf(files, /^binding\.gyp$/).length > 0
    || textsOf(files, /^package\.json$/i).some(hasScripts)
    || runsDependencyScripts(manager, line, files)
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
    return Object.entries(scripts).some(([name, script]) => lifecycle.test(name) && !isHooks(script))
  } catch {
    return true
  }
}

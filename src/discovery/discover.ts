/** Discovers the set-up and the checks of a project from the files that git tracks. */
import { posix } from 'node:path'
import type { CheckConfig } from '../model/config.ts'
import { c } from './c.ts'
import { dotnet } from './dotnet.ts'
import { elixir } from './elixir.ts'
import { go } from './go.ts'
import { gradle, maven } from './jvm.ts'
import { node } from './node.ts'
import { php } from './php.ts'
import { below, nothing, type Discovery, type Ecosystem, type Project } from './project.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { shellPath } from './shell-path.ts'
import { singleCommands } from './single-commands.ts'
import { taskRunners } from './task-runners.ts'

const ecosystems: readonly Ecosystem[] = [
  node,
  python,
  rust,
  go,
  maven,
  gradle,
  ruby,
  php,
  dotnet,
  elixir,
  c,
  ...singleCommands,
]

/** Never rejects: a file that cannot be read is ignored. */
export async function discoverProject(project: Project): Promise<Discovery> {
  const found: Discovery[] = []
  for (const ecosystem of ecosystems) {
    for (const folder of projectFolders(project, ecosystem)) {
      found.push(inFolder(folder, { ...nothing, ...(await ecosystem.discover(below(project, folder))) }))
    }
  }
  // Makefiles and justfiles often wrap the tools above, so they are read only when nothing else was found.
  if (found.every(({ checks }) => checks.length === 0)) found.push({ ...nothing, ...(await taskRunners(project)) })
  const checks = withDistinctNames(found.flatMap((each) => each.checks))
  return {
    setup: found.flatMap((each) => each.setup),
    checks,
    proposed: withDistinctNames(
      found.flatMap((each) => each.proposed),
      checks,
    ),
    notes: found.flatMap((each) => each.notes),
  }
}

const deepest = 2
const mostFolders = 8
/** Folders whose projects are samples or copies of others. */
const foreign = new RegExp(
  String.raw`(?:^|/)(?:${[
    'node_modules|vendor|third[_-]?party',
    'examples?|samples?|fixtures?|testdata|templates?',
    String.raw`docs?|website|\.[^/]+`,
  ].join('|')})(?:/|$)`,
  'i',
)

/** The root if it has a manifest, else the folders with one, at most two levels below it. */
function projectFolders({ files }: Project, { isManifest, isHint }: Ecosystem): string[] {
  const folders = new Set<string>()
  let hasHint = false
  for (const path of files) {
    const at = path.lastIndexOf('/')
    const name = path.slice(at + 1)
    hasHint ||= isHint?.(name) === true
    if (!isManifest(name)) continue
    if (at === -1) return ['']
    const folder = path.slice(0, at)
    if (folder.split('/').length <= deepest && !foreign.test(folder)) folders.add(folder)
  }
  if (folders.size === 0) return hasHint ? [''] : []
  const sorted = [...folders].toSorted()
  // A folder inside of another project belongs to that one.
  return sorted.filter((folder) => !sorted.some((other) => folder.startsWith(`${other}/`))).slice(0, mostFolders)
}

function inFolder(folder: string, found: Discovery): Discovery {
  const checks = found.checks.map((each) => withPaths(each, folder))
  if (folder === '') return { ...found, checks }
  const line = (run: string): string => `cd ${shellPath(folder)} && ${run}`
  const moved = (list: readonly CheckConfig[]): CheckConfig[] =>
    list.map((each) => ({ ...each, name: `${each.name} (${folder})`, run: line(each.run) }))
  return {
    setup: found.setup.map(line),
    checks: moved(checks),
    proposed: moved(found.proposed),
    notes: found.notes.map((note) => `${folder}: ${note}`),
  }
}

/** Paths relative to the repository. A check that depends on all of it, or on a folder outside, has none. */
function withPaths({ paths, ...each }: CheckConfig, folder: string): CheckConfig {
  const moved = paths?.map((path) => posix.join(folder, path).replace(/\/$/, '')) ?? ['.']
  return moved.some((path) => path === '.' || path.startsWith('..')) ? each : { ...each, paths: [...new Set(moved)] }
}

/** The names of checks are keys: a second check of one name gets the number that makes it different. */
function withDistinctNames(checks: readonly CheckConfig[], before: readonly CheckConfig[] = []): CheckConfig[] {
  const taken = new Set(before.map(({ name }) => name))
  return checks.map((each) => {
    let name = each.name
    for (let n = 2; taken.has(name); n++) name = `${each.name} ${n}`
    taken.add(name)
    return { ...each, name }
  })
}

/**
 * Guards the folders above a verification workspace. Programs search them for modules and settings, so a file that an
 * agent puts there could make a check pass that fails in a fresh clone elsewhere.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { readNow } from '../../platform/files.ts'
import { plain } from '../../views/text/plain-text.ts'
import { removeTree } from '../clones/remove-tree.ts'

/** Names that runtimes, package managers and test runners search for in all parent folders. */
const names = new RegExp(
  `^(?:${[
    'node_modules',
    'package\\.json',
    '(?:ts|js)config\\.json',
    '\\.pnp\\.\\w+',
    'pnpm-workspace\\.yaml',
    '\\.yarnrc\\.yml',
    'bunfig\\.toml',
    'deno\\.jsonc?',
    '\\.swcrc',
    '\\.babelrc(?:\\.\\w+)?',
    '\\.eslintrc(?:\\.\\w+)?',
    '\\.mocharc\\.\\w+',
    '(?:babel|eslint|jest|vitest|vite|ava|postcss)\\.(?:config|workspace)\\.\\w+',
    'pyproject\\.toml',
    'pytest\\.(?:ini|toml)',
    'tox\\.ini',
    'setup\\.cfg',
    'conftest\\.py',
    '\\.(?:node|python|ruby)-version',
    'Cargo\\.toml',
    'rust-toolchain(?:\\.toml)?',
    'go\\.(?:mod|work)',
    'Gemfile',
    'pom\\.xml',
    '(?:build|settings)\\.gradle(?:\\.kts)?',
    'WORKSPACE(?:\\.bazel)?',
    'MODULE\\.bazel',
    '\\.tool-versions',
    'mise\\.toml',
    '\\.git',
    '\\.pytest\\.(?:ini|toml)',
    '\\.?mypy\\.ini',
    '\\.coveragerc',
    '\\.pylintrc',
    '\\.flake8',
    '\\.?ruff\\.toml',
    '\\.rspec',
    '\\.rubocop\\.yml',
    '\\.(?:prettier|nyc|c8|tap|browserslist|postcss|stylelint)rc(?:\\.\\w+)?',
    '\\.golangci\\.\\w+',
    'phpunit\\.xml(?:\\.dist)?',
  ].join('|')})$`,
)

/** Paths in the folders above `folder` that programs would find. */
function foundAbove(folder: string): string[] {
  const found: string[] = []
  for (let at = dirname(folder); ; at = dirname(at)) {
    found.push(
      ...namesIn(at)
        .filter((name) => names.test(name))
        .map((name) => join(at, name)),
    )
    if (at === dirname(at)) return found
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The paths that existed when the run started, as text for `file`. A resumed run keeps the first list. */
export const lookupsText = (file: string, folder: string): string =>
  existsSync(file) ? (readNow(file)?.toString('utf8') ?? '[]') : JSON.stringify(foundAbove(folder))

/**
 * Removes new paths from the folder that contains only workspaces of this checkout. Throws WORKSPACE_CONTENT for new
 * paths further up, because they may be the user's.
 */
export async function clearLookups(text: string, folder: string): Promise<void> {
  const known = readList(text)
  const added = foundAbove(folder).filter((path) => !known.has(path))
  for (const path of added.filter((each) => dirname(each) === dirname(folder))) await removeTree(path)
  const foreign = added.filter((path) => dirname(path) !== dirname(folder))
  if (foreign.length === 0) return
  const listed = foreign
    .slice(0, 5)
    .map((path) => `\`${plain(path)}\``)
    .join(', ')
  const why = 'Checks would read that, and fresh clones in other folders would not.'
  throw new LooperError(
    'WORKSPACE_CONTENT',
    `New in a folder above the workspaces since the run started: ${listed}. ${why}`,
    { fix: 'Remove it or move it elsewhere' },
  )
}

/** An unreadable list counts as empty, so that every path counts as new. */
function readList(text: string): ReadonlySet<string> {
  try {
    const list: unknown = JSON.parse(text)
    return new Set(Array.isArray(list) ? list.filter((path) => typeof path === 'string') : [])
  } catch {
    return new Set()
  }
}

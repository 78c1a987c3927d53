/**
 * Determines which files besides tests the base's checks read: programs that they run or source, and files that their
 * configuration loads.
 */
import type { ChangedFile } from '../../model/tamper.ts'
import { executedBy } from '../definitions/executed.ts'
import { resolvedCommands } from '../definitions/scripts.ts'
import { settings } from '../definitions/setting-rules.ts'
import { readSettings } from '../definitions/settings.ts'
import { isInProductFolder, roleOf } from './roles.ts'

const flags =
  'config|conf|setup[\\w-]*|[\\w-]*reporter|require|import|loader|opts|plugin|env-file|init[\\w-]*|rcfile|rootdir'
const flag = new RegExp(`(?:--(?:${flags})|-[rcRCp])[=\\s]+["']?([\\w@./-]+)`, 'g')
const sourcing = /^\s*(?:\.|source)\s+(.{1,300})$/gm
const including = /^-?s?include\s+(.{1,300})$/gm
const loading = settings(
  'setupFiles setupFilesAfterEnv globalSetup globalTeardown reporters reporter require preload file import runner '
    + 'extends preset',
)
const importing = /(?:\brequire\(|\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"\n]{1,200})['"]/g
/** A file that a test program sources or imports is the tested code, unless its name is that of a helper. */
const help =
  'helpers?|common|setup|env|environment|asserts?|assertions?|tests?|harness|runner|reporter|mocks?|stubs?|utils?'
const helping = new RegExp(`(?:^|[._/-])(?:${help})(?:[._-]|$)`, 'i')
const asserting = /^\s*(?:function\s+)?(?:assert|expect|check|fail|die|ok|is)\w*\s*\(\)\s*\{/m

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** Returns paths that are not product code, because a check of the base reads them. */
export function readByChecks(files: readonly ChangedFile[], checks: readonly string[]): Set<string> {
  const { programs, named } = namedByChecks(files, checks)
  const known = new Set([...programs].filter((path) => !isInProductFolder(path)))
  for (const path of named) known.add(path)
  const texts = new Map(files.map((file) => [file.path, file]))
  for (let depth = 0; depth < 4; depth += 1) {
    for (const path of known) {
      for (const helper of helpersOf(path, texts.get(path)?.before ?? ''))
        if (isHelper(helper, texts.get(helper))) known.add(helper)
    }
  }
  return known
}

/**
 * Returns the files to read before `readByChecks` can follow them: those that checks run, load or source. Call it again
 * with their texts until it returns no new files.
 */
export function alsoRead(files: readonly ChangedFile[], checks: readonly string[]): string[] {
  const known = new Map(files.map((file) => [file.path, file]))
  const { programs, named } = namedByChecks(files, checks)
  const found = new Set([...programs, ...named])
  for (const path of readByChecks(files, checks)) found.add(path)
  for (const path of found) {
    for (const helper of helpersOf(path, known.get(path)?.before ?? ''))
      if (isHelper(helper, undefined) || /\.(?:ba)?sh$/.test(helper)) found.add(helper)
  }
  return [...found].filter((path) => !known.has(path) && /^[\w@][\w@./ -]*$/.test(path)).slice(0, 200)
}

function namedByChecks(
  files: readonly ChangedFile[],
  checks: readonly string[],
): { programs: Set<string>; named: Set<string> } {
  const commands = resolvedCommands(files, checks, 'before')
  const programs = executedBy(commands)
  const named = new Set<string>()
  for (const command of commands) {
    for (const [, value = ''] of command.matchAll(flag)) named.add(plain(/[/.]/.test(value) ? value : `${value}.py`))
  }
  for (let depth = 0, size = -1; depth < 4 && size !== named.size; depth += 1) {
    size = named.size
    for (const { path, before } of files) for (const each of loadedBy(path, before, named.has(path))) named.add(each)
  }
  return { programs, named }
}

/** Returns the files that a makefile includes, or that a runner configuration loads or extends. */
function loadedBy(path: string, text: string | null, isNamed: boolean): string[] {
  if (text === null || text.length > 300_000) return []
  const isMakefile = /akefile$|\.mk$/.test(path) || (isNamed && /^-?s?include\s/m.test(text))
  const included = isMakefile
    ? [...text.matchAll(including)].flatMap(([, list = '']) => list.trim().split(/\s+/).map(plain))
    : []
  if (!isNamed && roleOf(path) !== 'machinery' && roleOf(path) !== 'mixed') return included
  const loaded = [...readSettings(path, text)]
    .filter(([key]) => loading.test(key))
    .flatMap(([, values]) => values.filter((value) => /^(?:\.|<rootDir>)/.test(value)))
    .flatMap((value) => variants(plain(folderOf(path) + value)))
  return [...included, ...loaded]
}

function helpersOf(path: string, text: string): string[] {
  const shell = /\.(?:ba)?sh$|(?:^|\/)[^.]+$/.test(path)
  const found = shell ? [...text.matchAll(sourcing)].map(([, value = '']) => sourcedPath(value)) : []
  const imported = [...text.matchAll(importing)].map(([, value = '']) => value)
  return [
    ...found.flatMap((value) => [plain(value), plain(folderOf(path) + value)]),
    ...imported.flatMap((value) => variants(plain(folderOf(path) + value))),
  ]
}

/** `"$(dirname "$0")/env.sh"` is beside the script. */
const sourcedPath = (value: string): string =>
  value
    .replace(/\s*(?:[;&|#].*)?$/, '')
    .replace(/["']/g, '')
    .replace(/^\$\([^)]*(?:\([^)]*\))?[^)]*\)\/?|^\$\{?\w+(?:%[^}]*)?\}?\/?/, '')

export const variants = (path: string): string[] => [
  path,
  ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'json', 'jsx', 'tsx'].map((ending) => `${path}.${ending}`),
  ...['js', 'ts', 'mjs', 'cjs'].map((ending) => `${path}/index.${ending}`),
  path.replace(/\.js$/, '.ts'),
  path.replace(/\.mjs$/, '.mts'),
]

const isHelper = (path: string, file: ChangedFile | undefined): boolean =>
  !isInProductFolder(path)
  && (helping.test(path) || asserting.test(file?.before ?? '') || asserting.test(file?.after ?? ''))

/** Normalizes a path: without `.`, `..` and `<rootDir>`. */
export function plain(path: string): string {
  const parts: string[] = []
  for (const part of path.replace('<rootDir>/', '').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

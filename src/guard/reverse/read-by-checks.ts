/**
 * Determines which files besides tests the base's checks read: programs that they run or source, and files that their
 * configuration loads.
 */
import type { ChangedFile } from '../../model/tamper.ts'
import { executedBy } from '../definitions/executed.ts'
import { resolvedCommands } from '../definitions/scripts.ts'
import { settings } from '../definitions/setting-rules.ts'
import { readSettings } from '../definitions/settings.ts'
import { listedFiles } from '../definitions/test-lists.ts'
import { folderOf, helpersOf, plain, variants } from './helpers-of.ts'
import { isInProductFolder, roleOf } from './roles.ts'

const flags =
  'config|conf|setup[\\w-]*|[\\w-]*reporter|require|import|loader|opts|plugin|env-file|init[\\w-]*|rcfile|rootdir'
const flag = new RegExp(`(?:--(?:${flags})|-[rcRCp])[=\\s]+["']?([\\w@./-]+)`, 'g')
const including = /^-?s?include\s+(.{1,300})$/gm
const loading = settings(
  'setupFiles setupFilesAfterEnv globalSetup globalTeardown reporters reporter require preload file import runner '
    + 'extends preset',
)
/** A file that a test program sources or imports is the tested code, unless its name is that of a helper. */
const help =
  'helpers?|common|setup|env|environment|asserts?|assertions?|tests?|harness|runner|reporter|mocks?|stubs?|utils?'
const helping = new RegExp(`(?:^|[._/-])(?:${help})(?:[._-]|$)`, 'i')
const asserting = /^\s*(?:function\s+)?(?:assert|expect|check|fail|die|ok|is)\w*\s*\(\)\s*\{/m

/** Read even when they did not change. */
export const pytestFiles: readonly string[] = [
  'pytest.ini',
  '.pytest.ini',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'conftest.py',
  'tests/conftest.py',
  'test/conftest.py',
]

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
  for (const path of listedFiles(files, checks)) found.add(path)
  return [...found].filter((path) => !known.has(path) && /^[\w@][\w@./ -]*$/.test(path)).slice(0, 200)
}

function namedByChecks(
  files: readonly ChangedFile[],
  checks: readonly string[],
): { programs: Set<string>; named: Set<string> } {
  const commands = resolvedCommands(files, checks, 'before')
  const programs = executedBy(commands)
  const named = new Set<string>()
  for (const command of [...commands, ...files.flatMap(pytestOptions)]) {
    for (const [, value = ''] of command.matchAll(flag)) for (const path of loadedAs(value)) named.add(path)
  }
  for (const path of files.flatMap(pytestPlugins)) named.add(path)
  for (let depth = 0, size = -1; depth < 4 && size !== named.size; depth += 1) {
    size = named.size
    for (const { path, before } of files) for (const each of loadedBy(path, before, named.has(path))) named.add(each)
  }
  return { programs, named }
}

/** The value of an option is a path, or a module of Python. */
const loadedAs = (value: string): string[] =>
  /^\w+(?:\.\w+)*$/.test(value) && !/\.(?:py|[cm]?[jt]s|json|toml|ini|ya?ml|cfg)$/.test(value)
    ? [plain(value), ...modulePaths(value)]
    : [plain(value)]

const modulePaths = (module: string): string[] => [
  `${module.replaceAll('.', '/')}.py`,
  `${module.replaceAll('.', '/')}/__init__.py`,
]

/** Options that configuration adds to every call of pytest. */
function pytestOptions({ path, before }: ChangedFile): string[] {
  if (!pytestFiles.includes(path)) return []
  return [...readSettings(path, before)].filter(([key]) => /\baddopts$/.test(key)).map(([, values]) => values.join(' '))
}

/** Modules that a `conftest.py` loads before the tests. */
function pytestPlugins({ path, before }: ChangedFile): string[] {
  if (!/(?:^|\/)conftest\.py$/.test(path) || before === null) return []
  const list = /^pytest_plugins\s*=\s*([^\n[(]{1,500}|[[(][^\])]{0,2000})/m.exec(before)?.[1] ?? ''
  return [...list.matchAll(/['"]([\w.]{1,200})['"]/g)].flatMap(([, module = '']) => modulePaths(module))
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

const isHelper = (path: string, file: ChangedFile | undefined): boolean =>
  !isInProductFolder(path)
  && (helping.test(path) || asserting.test(file?.before ?? '') || asserting.test(file?.after ?? ''))

/**
 * Determines which changed files only tests and checks use, whatever their names and folders: expected values, lists of
 * tests, and code that asserts. Their users are found by a search of the base.
 */
import type { ChangedFile, GuardedChange } from '../../model/tamper.ts'
import { executedBy } from '../definitions/executed.ts'
import { resolvedCommands } from '../definitions/scripts.ts'
import { languageOf } from '../test-path.ts'
import { importsFile } from './imports-file.ts'
import { baseOf, foldersOf, namesFile } from './names-file.ts'
import { isInProductFolder, roleOf } from './roles.ts'

const mostFiles = 100
const mostRead = 200

const isShell = (path: string): boolean => /\.(?:ba|z|k)?sh$/.test(path)
const isCode = (path: string): boolean => languageOf(path) !== null || isShell(path)

const otherCode = /\.(?:[ch]|hpp|hh|pl|pm|lua|vue|svelte|css|s[ac]ss|less|proto|sql|wasm|so|dll|exe|mk|lock)$/
const ofPackages = new RegExp(
  '(?:^|/)(?:package-lock\\.json|npm-shrinkwrap\\.json|pnpm-lock\\.yaml|go\\.(?:mod|sum)|requirements[\\w.-]*\\.txt|'
    + 'LICEN[CS]E[\\w.]*|VERSION|CHANGE(?:S|LOG)[\\w.]*|AUTHORS|\\.git\\w+)$',
)
const isDocument = (path: string): boolean => /\.(?:md|mdx|rst|adoc)$/.test(path)

type Texts = ReadonlyMap<string, ChangedFile>

/** Binary files are not among the texts. */
const isInBase = (path: string, texts: Texts): boolean => texts.get(path)?.before !== null

function dataIn({ changed }: Pick<GuardedChange, 'changed'>, texts: Texts): string[] {
  return changed
    .filter((path) => !isCode(path) && !otherCode.test(path) && !ofPackages.test(path) && roleOf(path) === 'product')
    .filter((path) => isInBase(path, texts))
    .slice(0, mostFiles)
}

const asserting = /\bassert\w*|\bexpect\w*\s*\(|\bfail(?:ed|ure|s)?\b|\bexit\s+[1-9$]|\b[tb]\.(?:Error|Fatal|Fail)\w*/i
const throwing = /\bthrow\b|\braise\b|\bpanic\(|\bdie\b|\breturn 1\b/
const assertingNames =
  /(?:^|[._/-])(?:verify|asserts?|assertions?|expect|should|matchers?|testing|testkit)(?:[._/-]|$)/i
/** The share of lines that assert in code that does nothing else. */
const most = 0.4

/** Whether code asserts for others: most of its lines do, or its name says so. */
function isAsserting(path: string, text: string): boolean {
  const lines = text
    .slice(0, 100_000)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line) && !/^(?:\/\/|#|\*|\/\*)/.test(line))
  const found = lines.filter((line) => asserting.test(line)).length
  if (assertingNames.test(path)) return found > 0 || lines.some((line) => throwing.test(line))
  return found > 0 && found >= lines.length * most
}

const helpersIn = ({ changed }: Pick<GuardedChange, 'changed'>, texts: Texts): string[] =>
  changed
    .filter((path) => isCode(path) && roleOf(path) === 'product' && isAsserting(path, texts.get(path)?.before ?? ''))
    .slice(0, mostFiles)

/** The word by which other files import it. */
function moduleName(path: string): string {
  const stem = baseOf(path).replace(/\.\w+$/, '')
  const isFolder = /^(?:index|__init__|mod)$/.test(stem) || path.endsWith('.go')
  return isFolder ? (path.split('/').at(-2) ?? stem) : stem
}

const textsOf = (files: readonly ChangedFile[]): Texts => new Map(files.map((file) => [file.path, file]))

/** Returns the words by which other files name changed files that may be of tests. */
export function searched(change: GuardedChange): string[] {
  const texts = textsOf(change.files)
  const data = dataIn(change, texts)
  const folders = new Set(data.flatMap(foldersOf))
  const words = [
    ...data.map(baseOf),
    ...[...folders].flatMap((folder) => [`${folder}/`, `'${folder}'`, `"${folder}"`]),
    ...helpersIn(change, texts).map(moduleName),
  ]
  return [...new Set(words)].filter((word) => !/[\p{Cc}]/u.test(word))
}

/** Tests come first: of many files only some are read. */
export function worthReading(paths: readonly string[]): string[] {
  const code = paths.filter(isCode)
  const tests = code.filter((path) => roleOf(path) === 'test')
  const others = code.filter((path) => roleOf(path) === 'product')
  return [...tests.slice(0, mostRead), ...others.slice(0, mostRead)]
}

/** `read`: further files that are not product code, because checks read them. */
export function usedByTests(change: GuardedChange, read: ReadonlySet<string>): Map<string, 'data' | 'machinery'> {
  const texts = textsOf(change.files)
  const [data, helpers] = [dataIn(change, texts), helpersIn(change, texts)]
  const used = new Map<string, 'data' | 'machinery'>()
  if (data.length + helpers.length === 0) return used
  const commands = resolvedCommands(change.files, change.checks, 'before')
  const programs = new Set([...read, ...[...executedBy(commands)].filter((path) => !isInProductFolder(path))])
  const code = change.files.filter(({ path, before }) => before !== null && (isCode(path) || programs.has(path)))
  const checks = code.filter(({ path }) => programs.has(path))
  const tests = code.filter(({ path }) => !programs.has(path) && roleOf(path) === 'test')
  const product = code.filter(({ path }) => !programs.has(path) && roleOf(path) === 'product')
  for (const path of data) {
    const isNamed = (file: ChangedFile): boolean => namesFile(file.before ?? '', path)
    // What a check names in a folder of the product is what it judges.
    const byCheck =
      !isInProductFolder(path) && (commands.some((command) => namesFile(command, path)) || checks.some(isNamed))
    const byTest = byCheck || (!isDocument(path) && tests.some(isNamed))
    if (byTest && !product.some(isNamed)) used.set(path, 'data')
  }
  for (const path of helpers) {
    const others = [...tests, ...checks]
    const loads = (file: ChangedFile): boolean => file.path !== path && importsFile(file.path, file.before ?? '', path)
    if (others.some(loads) && !product.some((file) => !helpers.includes(file.path) && loads(file)))
      used.set(path, 'machinery')
  }
  return used
}

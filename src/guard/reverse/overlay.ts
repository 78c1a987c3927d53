/**
 * Selects the files of a change to lay over a tree: the base's tests over the candidate's product (reverse proof), and
 * the candidate's tests over the base's product (proof of new tests).
 */
import type { ChangedFile, GuardedChange as Change, GuardOverlay as Overlay } from '../../model/tamper.ts'
import { holdsExamples, keepsExamples } from '../examples.ts'
import { readTests } from '../read-suite.ts'
import { languageOf } from '../test-path.ts'
import { plain, relativeImports, variants } from './helpers-of.ts'
import { mergeDoctests } from './merge-doctests.ts'
import { mergePackage } from './merge-package.ts'
import { mergeRust } from './merge-rust.ts'
import { mergeSections } from './merge-sections.ts'
import { readByChecks } from './read-by-checks.ts'
import { isInProductFolder, isShadowing, roleOf, type Role } from './roles.ts'
import { shadowingFiles } from './shadowing-files.ts'
import { usedByTests } from './used-by-tests.ts'

/**
 * Returns the files of the base to lay over the candidate's tree, so that the base's tests judge the candidate's
 * product.
 */
export function reverseOverlay(change: Change): Overlay {
  const kept = importedByProduct(change)
  return overlay(change, 'before', (path) => kept.has(path), shadowingFiles(change.files))
}

/** Returns the files of the candidate to lay over the base's tree: new tests must fail without the change. */
export const proofOverlay = (change: Change): Overlay => overlay(change, 'after', () => false)

/** The side whose tests run. */
type Side = 'before' | 'after'

function overlay(
  change: Change,
  side: Side,
  isKept: (path: string) => boolean,
  replacing: ReadonlySet<string> = new Set(),
): Overlay {
  const texts = new Map(change.files.map((file) => [file.path, file]))
  const paths: string[] = []
  const merged: Overlay['merged'] = []
  const touches: Overlay['touches'] = { tests: [], data: [], machinery: [] }
  for (const [path, own] of rolesOf(change, texts)) {
    const role = replacing.has(path) ? 'machinery' : own
    if (role === 'product' || isKept(path)) continue
    const file = texts.get(path)
    const content = role === 'mixed' && file !== undefined ? merge(file, side, change) : null
    if (content !== null && content === file?.[side === 'before' ? 'after' : 'before']) continue
    if (content === null || content === file?.[side]) paths.push(path)
    else merged.push({ path, content })
    touches[touchOf(path, role)].push(path)
  }
  const laid = [...paths, ...merged.map(({ path }) => path)]
  const isFresh = (path: string): boolean => texts.get(path)?.before === null
  const fresh = laid.filter(isFresh)
  if (fresh.length > 0) touches.fresh = fresh
  const mayRevealMore =
    touches.machinery.length > 0 || laid.some((path) => !isFresh(path) || isReaching(texts.get(path)))
  return { paths, merged, touched: laid.length > 0, mayRevealMore, touches }
}

/** Whether a new test file may affect other tests: `TestMain`, ending the process, replacing an assertion. */
function isReaching(file: ChangedFile | undefined): boolean {
  if (file === undefined || languageOf(file.path) === null) return false
  return reaching.test(file.after ?? '')
}

const reaching = new RegExp(
  [
    '\\bfunc (?:TestMain|init)\\s*\\(',
    '\\b(?:_?exit|reallyExit|abort|kill|atexit)\\b\\s*[(=.]',
    '\\bexitCode\\b|\\bsys\\.modules\\b|\\bload_tests\\b|\\bsetattr\\(',
    '\\bprototype\\b|\\bglobal(?:This)?\\.\\w+\\s*=[^=]|\\brequire\\.cache\\b|\\bModule\\._',
    '\\b(?:assert|expect|TestCase|builtins)\\.\\w+\\s*=[^=]',
  ].join('|'),
)

function touchOf(path: string, role: Role): 'tests' | 'data' | 'machinery' {
  if (role === 'data') return 'data'
  // Python runs this file before the tests beside it.
  if (path.endsWith('__init__.py')) return 'machinery'
  return role === 'test' || path.endsWith('.rs') || (role === 'mixed' && path.endsWith('.py')) ? 'tests' : 'machinery'
}

/** Determines roles by path, by what the checks of the base read, and by the tests in a file. */
export function rolesOf(
  change: Change,
  texts = new Map(change.files.map((file) => [file.path, file])),
): Map<string, Role> {
  const { changed, files, checks } = change
  const read = readByChecks(files, checks)
  const used = usedByTests(change, read)
  const shadows = changed
    .filter((path) => isShadowing(path) && (texts.get(path)?.before ?? null) === null)
    .map((path) => path.replace(/__init__\.py$/, ''))
  const roles = changed.map((path): [string, Role] => {
    const role = roleOf(path)
    if (role !== 'product') return [path, role]
    const isShadow = shadows.some((shadow) => path === shadow || (shadow.endsWith('/') && path.startsWith(shadow)))
    if (isShadow || read.has(path)) return [path, 'machinery']
    return [path, used.get(path) ?? byContent(path, texts.get(path))]
  })
  return new Map(roles)
}

function byContent(path: string, file: ChangedFile | undefined): Role {
  if (file === undefined) return 'product'
  if (path.endsWith('.rs'))
    return [file.before, file.after].some((text) => text?.includes('#[cfg(')) ? 'mixed' : 'product'
  if (path.endsWith('.py') && holdsExamples(file.before) && !keepsExamples(file.before, file.after)) return 'mixed'
  const held = !isInProductFolder(path) && languageOf(path) !== null && readTests(path, file.before).tests.length > 0
  return held ? 'test' : 'product'
}

/** Returns null when the whole file of the side whose tests run is used. */
function merge({ path, before, after }: ChangedFile, tests: Side, { files }: Change): string | null {
  const [judge, product] = tests === 'before' ? [before, after] : [after, before]
  if (path.endsWith('.rs')) return product === null ? null : mergeRust(judge ?? '', product)
  if (product === null) return null
  if (path.endsWith('.py')) return mergeDoctests(judge ?? '', product)
  if (!path.endsWith('.json')) return mergeSections(path, judge ?? '', product)
  const gone = new Set(
    files.filter((file) => (tests === 'before' ? file.after : file.before) === null).map((file) => file.path),
  )
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return mergePackage(judge ?? '{}', product, (target) => gone.has(plain(folder + target)))
}

/** Returns new test or tool files that the candidate's product imports: it cannot be loaded without them. */
function importedByProduct(change: Change): Set<string> {
  const roles = rolesOf(change)
  const fresh = new Set(
    change.files.map(({ path, before }) => (before === null && isImportable(path, roles.get(path)) ? path : '')),
  )
  fresh.delete('')
  if (fresh.size === 0) return fresh
  const imported = change.files
    .filter(({ path }) => roles.get(path) === 'product')
    .flatMap(({ path, after }) => {
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      return relativeImports(after ?? '').flatMap((value) => variants(plain(folder + value)))
    })
  return new Set(imported.filter((path) => fresh.has(path)))
}

/** Whether no runner loads the file by itself. */
const isImportable = (path: string, role: Role | undefined): boolean =>
  (role === 'test' || role === 'data' || role === 'machinery') && !loaded.test(path)
const loaded = /(?:^|\/)(?:conftest\.py|node_modules\/|[\w.-]*\.(?:config|setup)\.\w+|\.)/

/** Finds tests that a change takes out of a list which a check reads: `suites.txt`, `suite.json`. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'
import { roleOf } from '../reverse/roles.ts'
import { languageOf } from '../test-path.ts'
import { executedBy } from './executed.ts'
import { resolvedCommands } from './scripts.ts'

const mostEntries = 500
const mostPaths = 100

/** Returns the files that the removed entries of lists may name. */
export function listedFiles(given: readonly ChangedFile[], checks: readonly string[]): string[] {
  const texts = readersOf(given, checks)
  return removedIn(given, texts)
    .flatMap(({ entry }) => pathsOf(entry, texts))
    .slice(0, mostPaths)
}

/** A removed entry counts when it names a file of the base. */
export function compareTestLists(given: readonly ChangedFile[], checks: readonly string[]): TamperFinding[] {
  const texts = readersOf(given, checks)
  const known = new Set(given.flatMap(({ path, before }) => (before === null ? [] : [path])))
  return removedIn(given, texts).flatMap(({ path, entry }) => {
    const file = pathsOf(entry, texts).find((each) => known.has(each))
    return file === undefined
      ? []
      : [finding('test-deleted', path, file, `${entry} is no longer in the list that a check reads`)]
  })
}

/** The commands of the checks and the programs that they run. */
function readersOf(given: readonly ChangedFile[], checks: readonly string[]): string[] {
  const commands = resolvedCommands(given, checks)
  const programs = executedBy(commands)
  return [
    ...commands,
    ...given.flatMap(({ path, before }) => (programs.has(path) && before !== null ? [before.slice(0, 100_000)] : [])),
  ]
}

function removedIn(given: readonly ChangedFile[], texts: readonly string[]): { path: string; entry: string }[] {
  return given
    .filter(({ path, before, after }) => before !== null && before !== after && isList(path))
    .filter(({ path }) => texts.some((text) => text.includes(path.slice(path.lastIndexOf('/') + 1))))
    .flatMap(({ path, before, after }) => {
      const kept = new Set(entriesOf(after ?? ''))
      return entriesOf(before ?? '').flatMap((entry) => (kept.has(entry) ? [] : [{ path, entry }]))
    })
    .slice(0, mostPaths)
}

const isList = (path: string): boolean =>
  languageOf(path) === null
  && !/^(?:mixed|machinery)$/.test(roleOf(path))
  && /(?:\.(?:txt|list|lst|json|ya?ml|toml|cfg|ini|conf)|\/?[^./]+)$/.test(path)

/** Words that can be names of files: of a list with one per line, or the strings of JSON. */
const entriesOf = (text: string): string[] => [
  ...new Set((text.slice(0, 100_000).match(/[\w@][\w@./-]*/g) ?? []).slice(0, mostEntries)),
]

/** A program may put a folder before an entry and an ending after it: `'./cases/' + name + '.mjs'`. */
function pathsOf(entry: string, texts: readonly string[]): string[] {
  const all = texts.join('\n')
  const folders = [
    ...new Set(
      [...all.matchAll(/(?<![\w@./-])(?:\.{1,2}\/)*([\w@][\w@./-]{0,100}\/)(?=['"`$])/g)].map(
        ([, folder = '']) => folder,
      ),
    ),
  ]
  const endings = [...new Set([...all.matchAll(/['"`}](\.\w{1,5})['"`]/g)].map(([, ending = '']) => ending))]
  return ['', ...folders.slice(0, 8)].flatMap((folder) =>
    ['', ...endings.slice(0, 4)].map((ending) => `${folder}${entry}${ending}`).filter((path) => path.includes('.')),
  )
}

/**
 * Adds to the finding of a deleted test what the test was about, if that was deleted as well: a file, or all names of
 * the project that the test uses.
 */
import type { ChangedFile, TamperFinding } from '../model/tamper.ts'
import { either } from './pattern.ts'
import { fullName, type TestCase } from './test-case.ts'
import { belongsToTests, languageOf } from './test-path.ts'

const importing = /\b(?:import|from|require|use|include|load)\b/
const longest = 200_000
const mostFiles = 500

const isCode = (path: string): boolean => languageOf(path) !== null && !belongsToTests(path)

/** `tests`: the tests of the base. */
export function withSubjects(
  findings: readonly TamperFinding[],
  files: readonly ChangedFile[],
  tests: readonly TestCase[],
): TamperFinding[] {
  if (!findings.some(({ kind }) => kind === 'test-deleted')) return [...findings]
  const gone = files
    .filter(({ path, before, after }) => before !== null && after === null && isCode(path))
    .slice(0, mostFiles)
  const imports = new Map<string, Set<string>>()
  const importsOf = (file: string): Set<string> => {
    const known = imports.get(file) ?? wordsOf(files.find(({ path }) => path === file)?.before ?? '')
    imports.set(file, known)
    return known
  }
  const nameGone = namesGone(files)
  return findings.map((each) => {
    if (each.kind !== 'test-deleted') return each
    const test =
      each.test === null ? undefined : tests.find((other) => other.file === each.file && fullName(other) === each.test)
    const subject = gone.find(({ path }) => importsOf(each.file).has(nameOf(path)))?.path ?? (test && nameGone(test))
    return subject === undefined ? each : { ...each, subject }
  })
}

const word = /[A-Za-z_$][\w$]*/g
const imported = new RegExp(
  either(
    /\bimport\s{1,9}([^'"();]{1,2000}?)\sfrom\s{0,9}['"][.@~#]/,
    /\b(?:const|let|var)\s{0,9}(\{[^}=]{1,2000}\})\s{0,9}=\s{0,9}require\(\s{0,9}['"]\./,
    /^from\s{1,9}\S{1,200}\s{1,9}import\s{1,9}(\([^)]{1,2000}\)|.{1,500})/,
  ),
  'gm',
)
const defined = /\b(?:function\*?|const|let|var|class|def)\s+([A-Za-z_$][\w$]*)/g

/** Returns the first name of the project that a test uses, if every such name was removed from the code. */
function namesGone(files: readonly ChangedFile[]): (test: TestCase) => string | undefined {
  let known: { was: Set<string>; is: Set<string> } | null = null
  const collect = (pattern: RegExp, texts: readonly (string | null)[]): Set<string> =>
    new Set(
      texts.flatMap((text) =>
        [...(text ?? '').slice(0, longest).matchAll(pattern)].map(([whole, name]) => name ?? whole),
      ),
    )
  return ({ file, body }) => {
    const before = files.find(({ path }) => path === file)?.before ?? ''
    if (files.length > mostFiles || !/^(?:javascript|python)$/.test(languageOf(file) ?? '')) return undefined
    known ??= {
      was: collect(
        defined,
        files.filter(({ path }) => isCode(path)).map((each) => each.before),
      ),
      is: collect(
        word,
        files.filter(({ path }) => languageOf(path) !== null).map(({ after }) => after),
      ),
    }
    const { was, is } = known
    const names = new Set(
      [...before.slice(0, longest).matchAll(imported)].flatMap((match) => match.slice(1).join(' ').match(word) ?? []),
    )
    const used = [...new Set(body.match(word))].filter((name) => names.has(name))
    return used.every((name) => was.has(name) && !is.has(name)) ? used[0] : undefined
  }
}

/** `src/cart/index.ts` is imported as `cart`. */
function nameOf(path: string): string {
  const parts = path.replace(/\.\w+$/, '').split('/')
  return (/^(?:index|mod|__init__)$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1)) ?? ''
}

function wordsOf(text: string): Set<string> {
  const lines = text
    .slice(0, longest)
    .split('\n')
    .filter((line) => importing.test(line.slice(0, 300)))
  return new Set(
    lines.flatMap(
      (line) =>
        line
          .slice(0, 300)
          .replace(/\.(?:[cm]?[jt]sx?)(?=['"])/g, '')
          .match(/[\w-]+/g) ?? [],
    ),
  )
}

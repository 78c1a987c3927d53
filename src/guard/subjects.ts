/** Notes of each test that is gone which file it was about, where that file is gone with it. */
import type { ChangedFile, TamperFinding } from '../model/tamper.ts'
import { belongsToTests, languageOf } from './test-path.ts'

const importing = /\b(?:import|from|require|use|include|load)\b/

export function withSubjects(findings: readonly TamperFinding[], files: readonly ChangedFile[]): TamperFinding[] {
  const isCode = (path: string): boolean => languageOf(path) !== null && !belongsToTests(path)
  const gone = files.filter(({ path, before, after }) => before !== null && after === null && isCode(path)).slice(0, 500)
  if (gone.length === 0) return [...findings]
  const imports = new Map<string, Set<string>>()
  const importsOf = (file: string): Set<string> => {
    const known = imports.get(file) ?? wordsOf(files.find(({ path }) => path === file)?.before ?? '')
    imports.set(file, known)
    return known
  }
  return findings.map((each) => {
    if (each.kind !== 'test-deleted') return each
    const subject = gone.find(({ path }) => importsOf(each.file).has(nameOf(path)))?.path
    return subject === undefined ? each : { ...each, subject }
  })
}

/** `src/cart/index.ts` is imported as `cart`. */
function nameOf(path: string): string {
  const parts = path.replace(/\.\w+$/, '').split('/')
  return (/^(?:index|mod|__init__)$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1)) ?? ''
}

function wordsOf(text: string): Set<string> {
  const lines = text.slice(0, 200_000).split('\n').filter((line) => importing.test(line.slice(0, 300)))
  return new Set(lines.flatMap((line) => line.slice(0, 300).replace(/\.(?:[cm]?[jt]sx?)(?=['"])/g, '').match(/[\w-]+/g) ?? []))
}

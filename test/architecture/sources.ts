/** The files of the product and what each of them imports. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const source = join(root, 'src')

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n]*(?:\n[^'"\n]*)*?from '([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g

function walk(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? walk(path) : [path]
  })
}

/** Without tests. */
export const files = walk(source).filter(
  (file) => /\.(?:ts|js)$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'),
)

/** Tests, and what they share. */
export const testFiles = [
  ...walk(source).filter((file) => file.endsWith('.test.ts')),
  ...walk(join(root, 'test')),
].filter((file) => file.endsWith('.ts'))

/** Type-only and lazy imports as well. */
export function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(
    ([, from, lazy, bare]) => (from ?? lazy ?? bare) as string,
  )
}

/** Files of the product that a file imports. */
export const importedFiles = (file: string): string[] =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => resolve(dirname(file), target))

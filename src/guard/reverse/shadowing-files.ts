/** Finds new files that an import may load instead of a changed one of the same name: `add.js` beside `add.ts`. */
import type { ChangedFile } from '../../model/tamper.ts'
import { folderOf, plain, relativeImports } from './helpers-of.ts'
import { roleOf } from './roles.ts'

const ending = '[cm]?[jt]sx?'
const moduleFile = new RegExp(`^(.+?)(?:/(?:index\\.${ending}|__init__\\.py)|\\.${ending}|\\.py)$`)

/** The path without the part by which modules of one name differ; null for other files and for declarations. */
function moduleOf(path: string): string | null {
  const name = /\.d\.[cm]?ts$/.test(path) ? undefined : moduleFile.exec(path)?.[1]
  return name === undefined ? null : `${path.endsWith('.py') ? 'python' : 'javascript'} ${name}`
}

/** A file that product code newly imports by its whole path belongs to the product. */
export function shadowingFiles(files: readonly ChangedFile[]): Set<string> {
  const product = files.filter(({ path, before, after }) => before !== after && roleOf(path) === 'product')
  const edited = product.filter(({ before, after }) => before !== null && after !== null)
  const taken = new Set(edited.map(({ path }) => moduleOf(path)))
  taken.delete(null)
  const added = product.filter(({ path, before }) => before === null && taken.has(moduleOf(path)))
  if (added.length === 0) return new Set()
  const wanted = new Set(
    product.flatMap(({ path, before, after }) => {
      const known = new Set(relativeImports(before ?? ''))
      const fresh = relativeImports(after ?? '').filter((value) => !known.has(value))
      return fresh.map((value) => plain(folderOf(path) + value))
    }),
  )
  return new Set(added.map(({ path }) => path).filter((path) => !wanted.has(path)))
}

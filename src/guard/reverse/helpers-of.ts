/** Lists the files that a program imports by a relative path or sources. */

const sourcing = /^\s*(?:\.|source)\s+(.{1,300})$/gm
const importing = /(?:\brequire\(|\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"\n]{1,200})['"]/g

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

export const relativeImports = (text: string): string[] =>
  [...text.slice(0, 300_000).matchAll(importing)].map(([, value = '']) => value)

export function helpersOf(path: string, text: string): string[] {
  const shell = /\.(?:ba)?sh$|(?:^|\/)[^.]+$/.test(path)
  const found = shell ? [...text.matchAll(sourcing)].map(([, value = '']) => sourcedPath(value)) : []
  return [
    ...found.flatMap((value) => [plain(value), plain(folderOf(path) + value)]),
    ...relativeImports(text).flatMap((value) => variants(plain(folderOf(path) + value))),
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

/** Normalizes a path: without `.`, `..` and `<rootDir>`. */
export function plain(path: string): string {
  const parts: string[] = []
  for (const part of path.replace('<rootDir>/', '').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Paths that every file system and git treat alike. */

/** ASCII without what some file systems read in another way, and no name that git itself uses. */
const plainName = /^[ !#-.0-9;=@-[\]-}]+$/
const reservedName = /^(?:\.{1,2}|\.git(?:[ .]*|attributes|modules))$/i

export const isPlainPath = (path: string): boolean =>
  path.split('/').every((name) => plainName.test(name) && !reservedName.test(name))

/** The folders above a path, the root last. */
export function parentsOf(path: string): string[] {
  const names = path.split('/')
  return names.map((_, at) => names.slice(0, names.length - 1 - at).join('/'))
}

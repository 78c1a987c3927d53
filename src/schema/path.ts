/** The path of a value inside another, as problems report it. */

export type Path = readonly (string | number)[]

/** Formats a path as in `tasks[3].depends_on[0]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )

/** Subjects in the form of Conventional Commits: `fix: close the file`. */

const types = ['feat', 'fix', 'docs', 'style', 'refactor', 'perf', 'test', 'build', 'ci', 'chore', 'revert'] as const

/** Words for kinds of tasks, as planners and backlogs use them. */
const synonyms: Readonly<Record<string, (typeof types)[number]>> = {
  feature: 'feat',
  enhancement: 'feat',
  bug: 'fix',
  bugfix: 'fix',
  repair: 'fix',
  documentation: 'docs',
  doc: 'docs',
  format: 'style',
  formatting: 'style',
  refactoring: 'refactor',
  cleanup: 'refactor',
  performance: 'perf',
  tests: 'test',
  testing: 'test',
  deps: 'build',
  dependencies: 'build',
  task: 'chore',
  setup: 'chore',
  scaffold: 'chore',
}

/** The first word of a title shows what kind of change it is, where the task has no known type. */
const verbs: readonly (readonly [RegExp, (typeof types)[number]])[] = [
  [/^(?:fix|repair|correct|prevent)\b/i, 'fix'],
  [/^(?:document|docs?)\b/i, 'docs'],
  [/^(?:tests?|cover)\b/i, 'test'],
  [/^(?:refactor|rename|extract|simplify|move|split)\b/i, 'refactor'],
  [/^(?:speed|optimi[sz]e)\b/i, 'perf'],
]

const conventional = new RegExp(String.raw`^(?:${types.join('|')})(?:\([\w./-]+\))?!?: \S`)

/** The type of a change: the task's own when it is one that is known, else by the first word of its title. */
export function conventionalType(title: string, type: string | null): string {
  const word = type?.trim().toLowerCase() ?? ''
  const known = types.find((name) => name === word)
  if (known !== undefined) return known
  if (Object.hasOwn(synonyms, word)) return synonyms[word] ?? 'feat'
  return verbs.find(([verb]) => verb.test(title))?.[1] ?? 'feat'
}

/** `title` is one clean line; `cut` bounds the result. A title that is in this form already stays as it is. */
export function conventionalSubject(title: string, type: string | null, cut: (text: string) => string): string {
  if (conventional.test(title)) return cut(title)
  const words = title.replace(/\.+$/, '')
  // A word in capitals or with capitals inside is a name: it stays.
  const lower = /^\p{Lu}(?=\p{Ll}*(?:[^\p{L}\p{N}]|$))/u.test(words) && !/^I\b/.test(words)
  const text = lower ? `${words.charAt(0).toLowerCase()}${words.slice(1)}` : words
  return cut(`${conventionalType(title, type)}: ${text}`)
}

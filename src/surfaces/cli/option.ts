/** An option as a command declares it: the text of its help, and what that text does not say. */
import type { Flag } from './read-arguments.ts'

interface Traits {
  /** The heading in help; `Options:` when absent. */
  group?: string
  /** Accepted, but shown neither in help nor by completion. */
  hidden?: boolean
  required?: boolean
  /** May be repeated; each value counts. */
  list?: boolean
  /** The key of an option that cannot be given together with this one. */
  conflicts?: string
}

/** `['-n, --lines <n>', 'how many lines']`. A value in `[]` may be left out; with `...` several may follow. */
export type OptionLine = readonly [flags: string, about: string, traits?: Traits]

export interface Option extends Flag, Traits {
  flags: string
  about: string
  /** The word for its value in `flags`. */
  placeholder: string
  /** Its name among the parsed options: `dryRun`; `wait` of `--no-wait`. */
  key: string
}

export function optionOf([flags, about, traits]: OptionLine): Option {
  const [names = '', value = ''] = flags.split(/ (?=[<[])/)
  const long = names.split(', ').at(-1) ?? ''
  return {
    ...traits,
    flags,
    about,
    names: names.split(', '),
    takes: takenBy(value),
    placeholder: value.replaceAll(/[^\w-]/g, ''),
    key: keyOf(long.replace(/^--?(?:no-)?/, '')),
  }
}

function takenBy(value: string): Flag['takes'] {
  if (value.includes('...')) return 'several'
  if (value.startsWith('<')) return 'value'
  return value === '' ? undefined : 'maybe'
}

/** `dry-run` becomes `dryRun`. */
export const keyOf = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const isNegated = ({ names }: Option): boolean => names.at(-1)?.startsWith('--no-') === true

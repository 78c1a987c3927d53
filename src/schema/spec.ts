/** Constructors of specs: what a value may be. */
import type { Fields, ObjectOf, RecordShape, Spec } from './shape.ts'

/** Any string. */
export const string: Spec<string> = { kind: 'text' }
/** Strings without NUL. */
export const anyText: Spec<string> = { kind: 'text', withoutNul: true }
export const text: Spec<string> = { kind: 'text', pattern: /\S/, withoutNul: true, noun: 'a text that is not empty' }
export const textLike = (noun: string, pattern: RegExp): Spec<string> => ({ kind: 'text', pattern, noun })

export const boolean: Spec<boolean> = { kind: 'boolean' }
export const choice = <const C extends string>(...of: readonly C[]): Spec<C> => ({ kind: 'choice', of })

interface Range {
  min?: number
  max?: number
}
export const whole = ({ min = 0, max }: Range = {}): Spec<number> => ({
  kind: 'number',
  whole: true,
  min,
  max,
  aboveMin: false,
})
export const number = ({ min = 0, max }: Range = {}): Spec<number> => ({
  kind: 'number',
  whole: false,
  min,
  max,
  aboveMin: false,
})
export const positive = (max: number): Spec<number> => ({ kind: 'number', whole: false, min: 0, max, aboveMin: true })

export const nullable = <T>(of: Spec<T>): Spec<T | null> => ({ kind: 'nullable', of })
export const names = <T>(of: Spec<T>): Spec<T[]> => ({ kind: 'list', of, min: 0, separated: true })
export const list = <T>(of: Spec<T>, min = 0): Spec<T[]> => ({ kind: 'list', of, min, separated: false })
export const record = <T>(
  of: Spec<T>,
  keys: RegExp,
  nameNoun: string,
  more: Pick<RecordShape, 'verbatim' | 'usual' | 'about'> = {},
): Spec<Record<string, T>> => ({ kind: 'record', of, names: keys, nameNoun, ...more })
export const per = <N extends string, T>(
  keys: readonly N[],
  of: Spec<T>,
  about: (name: string) => string,
): Spec<Partial<Record<N, T>>> => ({ kind: 'record', of, names: keys, nameNoun: 'a name', about })
export const object = <F extends Fields>(fields: F, title?: string): Spec<ObjectOf<F>> => ({
  kind: 'object',
  fields,
  title,
})
/** An object that keeps unknown fields. */
export const openObject = <F extends Fields>(fields: F): Spec<ObjectOf<F>> => ({ kind: 'object', fields, open: true })
/** A plain string, or the object that it abbreviates. */
export const shorthand = <T>(full: Spec<T>): Spec<string | T> => ({ kind: 'shorthand', full })

/** Returns the spec with a description of its own. */
export const called = <T>(noun: string, of: Spec<T>): Spec<T> => ({ ...of, noun })
export const secret = <T>(of: Spec<T>): Spec<T> => ({ ...of, secret: true })

/** The type language of the configuration table: a spec can be validated, documented and converted to JSON Schema. */

export interface Field<T = unknown> {
  spec: Spec<T>
  about: string
  presence: 'defaulted' | 'optional' | 'required'
  default?: T
  /** Sample values, for editors and documentation. */
  examples: readonly unknown[]
  /** The name of the command line flag, without dashes. */
  flag?: string
}
export type Fields = Readonly<Record<string, Field>>

export type Shape =
  | { kind: 'text'; pattern: RegExp; noun: string }
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'number'; whole: boolean; min: number; max: number; aboveMin: boolean }
  /** `separated`: in a variable or a flag, commas separate the entries; otherwise the text is one entry. */
  | { kind: 'list'; of: Spec; min: number; separated: boolean }
  | RecordShape
  /** `title`: the name of an object type that is defined once and used in several places. */
  | { kind: 'object'; fields: Fields; title?: string }
  | { kind: 'nullable'; of: Spec }
  | { kind: 'shorthand'; full: Spec }

interface RecordShape {
  kind: 'record'
  of: Spec
  names: readonly string[] | RegExp
  noun: string
  /** In the name of a variable, the names of entries keep their case. */
  verbatim?: boolean
  /** Names that editors suggest. */
  usual?: readonly string[]
  /** Describes an entry, for editors. */
  about?: (name: string) => string
}

/** `valueType` exists only for the type checker: it ties the table to the types of the model. */
export type Spec<T = unknown> = Shape & {
  readonly valueType?: T
  /** No message may show such a value. */
  readonly secret?: true
}

type TextSpec = Spec<string> & Extract<Shape, { kind: 'text' }>
type ValueOf<F> = F extends Field<infer T> ? T : never

/** Strings without NUL, which no process accepts in its arguments or environment. */
export const anyText: TextSpec = { kind: 'text', pattern: /^[^\0]*$/, noun: 'a text' }
export const text: TextSpec = { kind: 'text', pattern: /^[^\0]*[^\0\s][^\0]*$/, noun: 'a text that is not empty' }
export const textLike = (noun: string, pattern: RegExp): Spec<string> => ({ kind: 'text', pattern, noun })

export const boolean: Spec<boolean> = { kind: 'boolean' }
export const choice = <const C extends string>(...of: readonly C[]): Spec<C> => ({ kind: 'choice', of })

interface Range {
  min?: number
  max?: number
}
const unbounded = Number.MAX_SAFE_INTEGER
export const whole = ({ min = 0, max = unbounded }: Range = {}): Spec<number> => ({
  kind: 'number',
  whole: true,
  min,
  max,
  aboveMin: false,
})
export const number = ({ min = 0, max = unbounded }: Range = {}): Spec<number> => ({
  kind: 'number',
  whole: false,
  min,
  max,
  aboveMin: false,
})
export const positive = (max: number): Spec<number> => ({ kind: 'number', whole: false, min: 0, max, aboveMin: true })

export const secret = <T>(of: Spec<T>): Spec<T> => ({ ...of, secret: true })

/** Also true for values that may contain a secret. The short form of an object contains none, but the full form may. */
export function isSecret(spec: Spec, form: 'short' | 'full' = 'short'): boolean {
  if (spec.secret) return true
  switch (spec.kind) {
    case 'list':
    case 'record':
    case 'nullable':
      return isSecret(spec.of, form)
    case 'object':
      return Object.values(spec.fields).some((field) => isSecret(field.spec, form))
    case 'shorthand':
      return form === 'full' && isSecret(spec.full, form)
    case 'text':
    case 'choice':
    case 'boolean':
    case 'number':
      return false
  }
}

export const nullable = <T>(of: Spec<T>): Spec<T | null> => ({ kind: 'nullable', of })
export const names = <T>(of: Spec<T>): Spec<T[]> => ({ kind: 'list', of, min: 0, separated: true })
export const list = <T>(of: Spec<T>, min = 0): Spec<T[]> => ({ kind: 'list', of, min, separated: false })
export const record = <T>(
  of: Spec<T>,
  keys: RegExp,
  noun: string,
  more: Pick<RecordShape, 'verbatim' | 'usual' | 'about'> = {},
): Spec<Record<string, T>> => ({ kind: 'record', of, names: keys, noun, ...more })
export const per = <N extends string, T>(
  keys: readonly N[],
  of: Spec<T>,
  about: (name: string) => string,
): Spec<Partial<Record<N, T>>> => ({ kind: 'record', of, names: keys, noun: 'a name', about })
export const object = <F extends Fields>(fields: F, title?: string): Spec<{ [K in keyof F]: ValueOf<F[K]> }> => ({
  kind: 'object',
  fields,
  title,
})
/** A plain string, or the object that it abbreviates. */
export const shorthand = <T>(full: Spec<T>): Spec<string | T> => ({ kind: 'shorthand', full })

export const setting = <T>(spec: Spec<T>, value: T, about: string, flag?: string): Field<T> => ({
  spec,
  about,
  presence: 'defaulted',
  default: value,
  examples: [],
  flag,
})
export const optional = <T>(spec: Spec<T>, about: string): Field<T | undefined> => ({
  spec,
  about,
  presence: 'optional',
  examples: [],
})
export const required = <T>(spec: Spec<T>, about: string): Field<T> => ({
  spec,
  about,
  presence: 'required',
  examples: [],
})
export const group = <F extends Fields>(about: string, fields: F): Field<{ [K in keyof F]: ValueOf<F[K]> }> => ({
  spec: object(fields),
  about,
  presence: 'defaulted',
  examples: [],
})
/** Returns the field with sample values. */
export const example = <T>(field: Field<T>, ...examples: readonly unknown[]): Field<T> => ({ ...field, examples })

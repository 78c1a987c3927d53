/**
 * The types of the schema language: a spec describes a value, a field is a spec with its place in an object. Types of
 * the values are inferred from them.
 */

export interface Field<T = unknown> {
  spec: Spec<T>
  about: string
  presence: 'defaulted' | 'optional' | 'required'
  /** Null counts as absent. */
  orNull?: true
  default?: T
  /** Sample values, for editors and documentation. */
  examples: readonly unknown[]
  /** The name of the command line flag, without dashes. */
  flag?: string
}
export type Fields = Readonly<Record<string, Field>>

export type Shape =
  /** `withoutNul`: no process accepts NUL in its arguments or environment. */
  | { kind: 'text'; pattern?: RegExp; withoutNul?: true }
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'boolean' }
  /** Without `max`, the largest safe integer is the limit. */
  | { kind: 'number'; whole: boolean; min: number; max?: number; aboveMin: boolean }
  /** `separated`: in a variable or a flag, commas separate the entries; otherwise the text is one entry. */
  | { kind: 'list'; of: Spec; min: number; separated: boolean }
  | RecordShape
  /**
   * `title`: the name of an object type that is defined once and used in several places. `open`: unknown fields are
   * kept, and not validated.
   */
  | { kind: 'object'; fields: Fields; title?: string; open?: true }
  | { kind: 'nullable'; of: Spec }
  | { kind: 'shorthand'; full: Spec }

export interface RecordShape {
  kind: 'record'
  of: Spec
  names: readonly string[] | RegExp
  /** Describes a valid name. */
  nameNoun: string
  /** In the name of a variable, the names of entries keep their case. */
  verbatim?: boolean
  /** Names that editors suggest. */
  usual?: readonly string[]
  /** Describes an entry, for editors. */
  about?: (name: string) => string
}

export type ShapeOf<K extends Shape['kind']> = Extract<Shape, { kind: K }>

/** `valueType` exists only for the type checker: it ties a declaration to the types of its values. */
export type Spec<T = unknown> = Shape & {
  readonly valueType?: T
  /** No message may show such a value. */
  readonly secret?: true
  /** What a value must be, where the words of `describe` are not enough. */
  readonly noun?: string
}

type ValueOf<F> = F extends Field<infer T> ? T : never

/** The type of an object with these fields. */
export type ObjectOf<F extends Fields> = Flat<
  { [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]> } & {
    [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]>
  }
>
type Flat<T> = { [K in keyof T]: T[K] }

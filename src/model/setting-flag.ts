/** A key of the configuration that a surface can offer as an option. */
export interface SettingFlag {
  /** The dotted key that it sets. */
  key: string
  /** Without dashes. */
  flag: string
  /** A switch can be negated (`--no-review`), a list can be repeated. */
  kind: 'switch' | 'value' | 'list'
  about: string
  /** Undefined when the key has no default. */
  default: unknown
  /** The allowed values; null when they cannot be listed. */
  choices: readonly string[] | null
  /** The placeholder of the value in help. */
  placeholder: string
}

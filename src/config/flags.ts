/** Configuration from the command line: what flags there are, and the layers they make. */
import { keys } from './keys.ts'
import { singleLayer } from './layer.ts'
import type { Layer } from './layer.ts'
import { invalid } from './problem.ts'
import { quote } from '../platform/quote.ts'
import type { Spec } from './spec.ts'
import { readFlag } from './text-value.ts'

export interface ConfigFlag {
  /** The dotted key it sets. */
  key: string
  /** Without dashes. */
  flag: string
  /** A switch may be negated (`--no-review`), a list be given more than once. */
  kind: 'switch' | 'value' | 'list'
  about: string
}

export const configFlags: readonly ConfigFlag[] = keys.flatMap(({ name, field, spec }) =>
  field?.flag === undefined ? [] : [{ key: name, flag: field.flag, kind: kindOf(spec), about: field.about }],
)

function kindOf(spec: Spec): ConfigFlag['kind'] {
  if (spec.kind === 'nullable') return kindOf(spec.of)
  return spec.kind === 'boolean' ? 'switch' : spec.kind === 'list' ? 'list' : 'value'
}

/** Flags by dotted key; those that were not given are undefined. */
export function flagLayers(flags: Readonly<Record<string, unknown>>): Layer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): Layer => {
      const key = keys.find((candidate) => candidate.name === name)
      const where = `--${key?.field?.flag ?? name}`
      const origin = { where, hint: 'Run `looper --help`.' }
      if (key === undefined) throw invalid(origin, `there is no key ${quote(name)}`)
      return singleLayer(`flag ${where}`, origin, key, () => readFlag(key.spec, value))
    })
}

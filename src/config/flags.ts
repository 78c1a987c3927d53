/** Defines the configuration flags of the command line, and turns them into layers. */
import { keys } from './keys.ts'
import { singleLayer } from './layer.ts'
import type { Layer } from './layer.ts'
import { invalid } from './problem.ts'
import { quote } from '../platform/quote.ts'
import type { Spec } from '../schema/shape.ts'
import type { SettingFlag } from '../model/setting-flag.ts'
import { readFlag } from './text-value.ts'

export const configFlags: readonly SettingFlag[] = keys.flatMap(({ name, field, spec }) =>
  field?.flag === undefined
    ? []
    : [
        {
          key: name,
          flag: field.flag,
          kind: kindOf(spec),
          about: field.about,
          default: field.default,
          choices: choicesOf(spec),
          placeholder: placeholderOf(spec),
        },
      ],
)

function kindOf(spec: Spec): SettingFlag['kind'] {
  if (spec.kind === 'nullable') return kindOf(spec.of)
  return spec.kind === 'boolean' ? 'switch' : spec.kind === 'list' ? 'list' : 'value'
}

function choicesOf(spec: Spec): readonly string[] | null {
  if (spec.kind === 'nullable') return choicesOf(spec.of)
  return spec.kind === 'choice' ? spec.of : null
}

function placeholderOf(spec: Spec): string {
  switch (spec.kind) {
    case 'nullable':
      return placeholderOf(spec.of)
    case 'number':
      return 'n'
    case 'choice':
      return 'choice'
    case 'list':
      return spec.of.kind === 'shorthand' ? 'command' : 'names'
    default:
      return 'name'
  }
}

/** Flags are keyed by dotted key; flags that were not given are undefined. */
export function flagLayers(flags: Readonly<Record<string, unknown>>): Layer[] {
  return Object.entries(flags)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): Layer => {
      const key = keys.find((candidate) => candidate.name === name)
      const where = `--${key?.field?.flag ?? name}`
      const origin = { where, hint: 'Run `looper --help`.', flagFor: name }
      if (key === undefined) throw invalid(origin, `there is no key ${quote(name)}`)
      return singleLayer(`flag ${where}`, origin, key, () => readFlag(key.spec, value))
    })
}

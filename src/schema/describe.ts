/** Describes in words what a value must be, for messages and documentation. */
import type { ShapeOf, Spec } from './shape.ts'

export function describe(spec: Spec): string {
  if (spec.noun !== undefined) return spec.noun
  switch (spec.kind) {
    case 'text':
      return 'a text'
    case 'choice':
      return oneOf(spec.of)
    case 'boolean':
      return 'true or false'
    case 'number':
      return describeNumber(spec)
    case 'list':
      return `a list${spec.min > 0 ? ' that is not empty' : ''}`
    case 'record':
    case 'object':
      return 'an object'
    case 'nullable':
      return `${describe(spec.of)}, or null`
    case 'shorthand':
      return `a text or ${describe(spec.full)}`
  }
}

export const oneOf = (choices: readonly string[]): string => `one of ${choices.join(', ')}`

function describeNumber({ whole, min, max, aboveMin }: ShapeOf<'number'>): string {
  const noun = whole ? 'a whole number' : 'a number'
  if (aboveMin) return `${noun} above ${min}${max === undefined ? '' : ` and at most ${max}`}`
  return max === undefined ? `${noun} of at least ${min}` : `${noun} from ${min} to ${max}`
}

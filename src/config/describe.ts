/** Describes in words what a value must be, for messages and documentation. */
import type { Shape, Spec } from './spec.ts'

export function describe(spec: Spec): string {
  switch (spec.kind) {
    case 'text':
      return spec.noun
    case 'choice':
      return `one of ${spec.of.join(', ')}`
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

function describeNumber({ whole, min, max, aboveMin }: Extract<Shape, { kind: 'number' }>): string {
  const noun = whole ? 'a whole number' : 'a number'
  const lower = aboveMin ? `above ${min}` : `of at least ${min}`
  return max === Number.MAX_SAFE_INTEGER ? `${noun} ${lower}` : `${noun} ${lower} and at most ${max}`
}

/** Which values no message may show. */
import type { Spec } from './shape.ts'

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

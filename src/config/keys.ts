/**
 * Defines every configuration key once: validation, defaults, variables, flags, JSON Schema and documentation derive
 * from it. The order of the groups is that of the documentation.
 */
import { example, setting } from '../schema/field.ts'
import type { Field, Fields, ObjectOf, Spec } from '../schema/shape.ts'
import { choice, names, object, secret } from '../schema/spec.ts'
import { agentKeys } from './keys/agents.ts'
import { checkKeys } from './keys/checks.ts'
import { commitKeys } from './keys/commits.ts'
import { limitKeys } from './keys/limits.ts'
import { notificationKeys } from './keys/notifications.ts'
import { policyKeys } from './keys/policies.ts'
import { sandboxKeys } from './keys/sandbox.ts'
import { taskKeys } from './keys/tasks.ts'
import { variable } from './keys/values.ts'
import { workspaceKeys } from './keys/workspaces.ts'

export const settings = {
  ...taskKeys,
  ...agentKeys,
  ...workspaceKeys,
  ...commitKeys,
  ...checkKeys,
  ...sandboxKeys,
  interaction: setting(
    choice('auto', 'autonomous', 'checkpoint', 'interactive'),
    'auto',
    'How much a person is asked; no effect in this version.',
    'interaction',
  ),
  ...limitKeys,
  secrets: example(
    setting(
      names(secret(variable)),
      [],
      'Variables whose values are masked everywhere; !NAME is for one that only looks like a secret.',
    ),
    ['MY_TOKEN'],
  ),
  ...policyKeys,
  ...notificationKeys,
}
export type Settings = ObjectOf<typeof settings>

export const settingsSpec: Spec = object(settings)

export interface Key {
  /** `*` stands for a user-defined name. */
  path: readonly string[]
  /** Dotted: `limits.timeMinutes`. */
  name: string
  env: string
  /** Flag, default and description; null for names inside a record. */
  field: Field | null
  spec: Spec
}

const all: readonly Key[] = walk(settings, [])

/** Every key with a fixed name, groups before their members. */
export const keys: readonly Key[] = all.filter(({ path }) => !path.includes('*'))
/** Keys with a user-defined name in them, such as `agents.*.model`. */
export const openKeys: readonly Key[] = all.filter(({ path }) => path.includes('*'))

function walk(fields: Fields, above: readonly string[]): Key[] {
  return Object.entries(fields).flatMap(([name, field]) => expand([...above, name], field.spec, field))
}

function expand(path: readonly string[], spec: Spec, field: Field | null): Key[] {
  const key: Key = { path, name: path.join('.'), env: `LOOPER_${path.map(variablePart).join('_')}`, field, spec }
  if (spec.kind === 'object') return [key, ...walk(spec.fields, path)]
  if (spec.kind !== 'record') return [key]
  const within = spec.names instanceof RegExp ? ['*'] : spec.names
  return [key, ...within.flatMap((name) => expand([...path, name], spec.of, null))]
}

/** Converts `timeMinutes` to its part in a variable name: `TIME_MINUTES`. */
export function variablePart(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase()
}

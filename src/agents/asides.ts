/** What an agent may report while it works, besides its answer: decisions, tasks, questions. */
import type { Purpose } from '../model/purposes.ts'
import type { AsideKind } from '../model/results.ts'
import { loadSchemas, validate, type Validation } from './result.ts'

/** One line of a turn's outbox. */
export interface Aside {
  kind: AsideKind
  value: unknown
}

/** Small enough that no outbox can make a valid answer too big. */
export const asideBytes = 16 * 1024
export const outboxBytes = 128 * 1024

export async function validateAside({ kind, value }: Aside): Promise<Validation> {
  return validate((await loadSchemas()).asideSchemas[kind].schema, value)
}

/** The answer's key for each kind. A kind that the answer has no key for is missing. */
export async function answerKeys(purpose: Purpose): Promise<Map<AsideKind, string>> {
  const { asideSchemas, schemaOf } = await loadSchemas()
  const { shape } = schemaOf(purpose)
  const keys = (['decision', 'task', 'question'] as const).map((kind) => {
    const keys: readonly string[] = asideSchemas[kind].keys
    return [kind, keys.find((key) => Object.hasOwn(shape, key))] as const
  })
  return new Map(keys.flatMap(([kind, key]) => (key === undefined ? [] : [[kind, key]])))
}

export async function asideJsonSchema(kind: AsideKind): Promise<object> {
  const { asideSchemas, jsonSchemaOf } = await loadSchemas()
  return jsonSchemaOf(asideSchemas[kind].schema)
}

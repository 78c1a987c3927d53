/**
 * Merges what an agent reported through tools into its answer. The agent can write the file, so every line is
 * validated.
 */
import { asideBytes, answerKeys, validateAside, type Aside } from '../agents/asides.ts'
import { isObject } from '../model/object.ts'
import { loadSchemas } from '../agents/result.ts'
import type { Purpose } from '../model/purposes.ts'
import type { AsideKind } from '../model/results.ts'

/** Most lines to read, because an agent can fill the file by hand. */
const maxLines = 1_000

const names: Record<AsideKind, 'title' | 'text'> = { decision: 'title', task: 'title', question: 'text' }

/**
 * Drops invalid lines, kinds that the answer has no key for, entries that the answer already has, and everything over
 * the limits.
 */
export async function withAsides(
  answer: Record<string, unknown>,
  purpose: Purpose,
  outbox: string,
): Promise<Record<string, unknown>> {
  const keys = await answerKeys(purpose)
  const { asideSchemas } = await loadSchemas()
  const merged = { ...answer }
  for (const line of outbox.split('\n', maxLines)) {
    const aside = readLine(line)
    const key = aside === null ? undefined : keys.get(aside.kind)
    if (aside === null || key === undefined) continue
    const list = merged[key] ?? []
    const validation = await validateAside(aside)
    if (!validation.ok || !Array.isArray(list) || list.length >= asideSchemas[aside.kind].most || isSaid(list, aside))
      continue
    merged[key] = [...(list as unknown[]), validation.result]
  }
  return merged
}

function readLine(line: string): Aside | null {
  if (line.length > asideBytes) return null
  try {
    const aside: unknown = JSON.parse(line)
    return isObject(aside) && isKind(aside.kind) ? { kind: aside.kind, value: aside.value } : null
  } catch {
    return null
  }
}

const isKind = (kind: unknown): kind is AsideKind => typeof kind === 'string' && Object.hasOwn(names, kind)

/** Many models report an item by tool and repeat it in the answer. */
function isSaid(list: readonly unknown[], { kind, value }: Aside): boolean {
  const nameOf = (each: unknown): unknown => (isObject(each) ? each[names[kind]] : undefined)
  return list.some((each) => nameOf(each) === nameOf(value))
}

/** Collects the quotas that an agent reports: the newest few, with bounded count and names. */
import { boundedText } from '../agents/bounded-text.ts'
import type { Quota } from '../model/work.ts'

const mostQuotas = 5
const maxNameChars = 100

export interface Quotas {
  record(quota: Quota): void
  /** In order of arrival, the newest last. */
  list(): Quota[]
}

export function createQuotas(mask: (text: string) => string): Quotas {
  const newest = new Map<string, Quota>()
  return {
    record({ name: reported, used, resetsAt }) {
      const name = boundedText(reported, mask, maxNameChars)
      newest.delete(name)
      newest.set(name, { name, used, resetsAt })
      const [oldest] = newest.keys()
      if (newest.size > mostQuotas && oldest !== undefined) newest.delete(oldest)
    },
    list: () => [...newest.values()],
  }
}

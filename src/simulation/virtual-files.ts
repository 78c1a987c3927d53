/** File names of a virtual repository, and its content before a run. */
import type { Scenario } from './scenario.ts'
import type { Files } from './virtual-git.ts'

export const fileOf = (taskId: string): string => `${taskId}.txt`

/** Tests that exist before the task, and tests that come with it. */
export const suiteOf = (taskId: string): string => `${taskId}.test`
export const specOf = (taskId: string): string => `${taskId}.spec`

/** A file that checks leave behind: a report, a cache. */
export const litter = 'litter.txt'

export function filesAtFirst({ plan, unrest }: Pick<Scenario, 'plan' | 'unrest'>): Files {
  if (unrest === undefined) return { 'README.md': 'good start' }
  const suites = Object.fromEntries(plan.map(({ id }) => [suiteOf(id), 'tests']))
  return { 'README.md': 'good start', ...suites, ...(unrest.base === 'green' ? {} : { 'legacy.txt': 'bad legacy' }) }
}

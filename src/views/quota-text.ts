/** What agents told of their quotas, for those who pay by subscription. */
import type { RunState } from '../model/state.ts'
import type { Quota } from '../model/work.ts'
import { clock } from './format.ts'
import { plain } from './plain-text.ts'
import { facts } from './progress.ts'

export const quotaText = ({ allowances }: Pick<RunState, 'allowances'>): string =>
  facts(...Object.entries(allowances).flatMap(([agent, quotas]) => quotas.flatMap((quota) => one(agent, quota))))

function one(agent: string, { name, used, resetsAt }: Quota): string[] {
  if (used === null) return []
  const until = resetsAt === null ? '' : `, anew ${clock(resetsAt)}`
  return [`${plain(agent, 30)} ${plain(name.replaceAll('_', ' '), 30)} ${Math.round(used * 100)}% used${until}`]
}

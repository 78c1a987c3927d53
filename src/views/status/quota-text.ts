/** The quotas that agents reported, for users with a subscription. */
import type { RunState } from '../../model/state.ts'
import type { Quota } from '../../model/work.ts'
import { clock, count, money, utc, type Zone } from '../text/format.ts'
import { mdLine } from '../text/markdown.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'

/** In Markdown. With a subscription, shows tokens and quotas instead of dollars. */
export function consumedText(state: RunState): string {
  const { costUsd, inputTokens, outputTokens } = state.usage
  const tokens = inputTokens + outputTokens > 0 && `${count(inputTokens)} tokens in, ${count(outputTokens)} out`
  return (
    facts(costUsd > 0 && money(costUsd), tokens, costUsd === 0 && mdLine(quotaText(state), 300))
    || 'not reported by the agents'
  )
}

export const quotaText = ({ allowances }: Pick<RunState, 'allowances'>, zone: Zone = utc): string =>
  facts(...Object.entries(allowances).flatMap(([agent, quotas]) => quotas.flatMap((quota) => one(agent, quota, zone))))

function one(agent: string, { name, used, resetsAt }: Quota, zone: Zone): string[] {
  if (used === null) return []
  const until = resetsAt === null ? '' : `, anew ${clock(resetsAt, zone)}`
  return [`${plain(agent, 30)} ${plain(name.replaceAll('_', ' '), 30)} ${Math.round(used * 100)}% used${until}`]
}

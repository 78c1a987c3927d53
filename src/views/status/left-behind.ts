/** Describes the processes that a crashed run left behind. */
import { firstNames } from '../../model/and-more.ts'
import { plural } from '../text/format.ts'
import type { LeftAgent, LeftBehind } from './liveness.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'

const mostNamed = 4

/** "2 agents still run (T001/a1/implement pid 71): the keeper enforces the limits"; empty when nothing is left. */
export function leftText({ agents, ended, kept }: LeftBehind): string {
  const limits = kept ? 'the keeper enforces the limits' : 'nothing enforces the limits'
  return facts(
    agents.length > 0 && `${runText(agents)} (${namesOf(agents)}): ${limits}`,
    ended.length > 0
      && `ended by the keeper: ${ended.map(({ turn, why }) => `${plain(turn, 60)} (${why})`).join(', ')}`,
  )
}

/** "2 agents still run" */
export const runText = (agents: readonly LeftAgent[]): string =>
  agents.length === 1 ? '1 agent still runs' : `${plural(agents.length, 'agent')} still run`

/** "T001/a1/implement pid 71, T002/a1/implement pid 82 and 3 more" */
export const namesOf = (agents: readonly LeftAgent[]): string =>
  firstNames(
    agents.map(({ turn, pid }) => `${plain(turn, 60)} pid ${pid}`),
    mostNamed,
  )

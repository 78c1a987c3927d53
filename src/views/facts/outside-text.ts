/** Text for changes outside the workspaces. It does not say who made them, because Looper cannot know. */
import { andMore } from '../../model/and-more.ts'
import type { Bystander, OutsideChange } from '../../model/outside.ts'
import type { RunState } from '../../model/state.ts'
import { plain } from '../text/plain-text.ts'
import { listed } from './progress.ts'

/** "changed while T001's coder ran, outside its workspace: .git/config, ~/.profile" */
export function outsideText(change: OutsideChange, mostPaths = 8): string {
  const names = namesOf(change)
  const when = names.length === 0 ? 'while agents of this run worked' : `while ${together(names)} ran`
  const where = names.length === 1 ? 'its workspace' : 'their workspaces'
  return `changed ${when}, outside ${where}: ${pathsText([change], mostPaths)}`
}

/** "a check and the planner" */
function together(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 || names.length > 5 ? listed(names) : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** Paths of all changes, each once. */
export function pathsText(changes: readonly OutsideChange[], most: number): string {
  const paths = [...new Set(changes.flatMap(({ paths: each }) => each))]
  const more = Math.max(0, paths.length - most) + changes.reduce((sum, each) => sum + each.more, 0)
  const shown = paths
    .slice(0, most)
    .map((path) => plain(path, 80))
    .join(', ')
  return shown + andMore(more)
}

/** One change in full, several by their paths; empty when there is none. */
export function outsideLine({ outside = [] }: RunState): string {
  const [first, ...others] = outside
  if (first === undefined || others.length === 0) return first === undefined ? '' : outsideText(first)
  return `changed while agents and commands ran, outside their workspaces: ${pathsText(outside, 8)}`
}

/** What was running: agents by role, commands by purpose. */
export const namesOf = ({ during }: Pick<OutsideChange, 'during'>): string[] => [...new Set(during.map(nameOf))]

function nameOf({ task, what }: Bystander): string {
  if (what === 'setup') return 'set-up'
  if (what === 'check') return task === null ? 'a check' : `a check of ${plain(task, 40)}`
  return task === null ? `the ${what}` : `${plain(task, 40)}'s ${what}`
}

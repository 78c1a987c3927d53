/** The course of a run, in report.md: the quality of its checks, its checkpoints, and what was rolled back. */
import { andMore } from '../../model/and-more.ts'
import type { AntiPattern, BaselineCheck, Episode } from '../../model/convergence.ts'
import type { RunState } from '../../model/state.ts'
import { plural } from '../text/format.ts'
import { mdCode, mdLine } from '../text/markdown.ts'
import { rolledBackFor } from '../facts/progress.ts'

export function convergenceLines(state: RunState): string[] {
  return [
    ...(state.convergence.history ?? []).map(episodeText),
    ...(state.baseline?.checks ?? []).filter(({ passed }) => !passed).map(redText),
    ...Object.values(state.flaky).map(
      ({ check, runs, passed }) =>
        `- Check ${mdCode(check, 80)} is flaky: it passed in ${passed} of ${plural(runs, 'run')} on the same tree`,
    ),
    ...state.checkpoints.map(
      ({ id, commit, wave }) => `- Checkpoint **${id}** after wave ${wave}: ${mdCode(commit.slice(0, 12))}`,
    ),
    ...state.landings.filter(({ revert }) => revert).map(({ task, commit }) => revertText(state, task, commit)),
    ...state.antiPatterns.flatMap(rollbackLines),
  ]
}

function episodeText({ wave, health, evidence, recovery }: Episode): string {
  const what = recovery
    ? `recovery ${recovery.n} from ${health}${approach(recovery.tasks)}`
    : health === 'PROGRESSING'
      ? 'the run made progress again'
      : `**${health}**${evidence === null ? '' : `: ${mdLine(evidence, 400)}`}`
  return `- Wave ${wave}: ${what}`
}

const approach = (tasks: readonly string[]): string =>
  tasks.length === 0 ? '' : `: another approach to ${tasks.join(', ')}`

const mostNamed = 5

function redText({ check, failing }: BaselineCheck): string {
  const names = mdLine((failing ?? []).slice(0, mostNamed).join(', '), 200)
  const which = names === '' ? '' : ` (${names}${andMore((failing?.length ?? 0) - mostNamed)})`
  return `- Check ${mdCode(check, 80)} was red before the first task${which}`
}

function revertText({ tasks }: RunState, task: string, commit: string): string {
  const why = tasks[task]?.failures.findLast(({ kind }) => kind === 'regression')?.summary
  const reason = why === undefined ? '' : `: ${mdLine(why, 400)}`
  return `- The change of ${task} was reverted: ${mdCode(commit.slice(0, 12))}${reason}`
}

const rollbackLines = ({ tasks, tried, evidence, why, kept }: AntiPattern): string[] => [
  `- ${mdLine(rolledBackFor(tasks, evidence), 160)}; ${mdLine(why, 160)}`,
  ...(evidence === '' ? [] : [`  - Evidence: ${mdLine(evidence, 300)}`]),
  ...(tried === '' ? [] : [`  - Tried: ${mdLine(tried.split('\n').join('; '), 300)}`]),
  ...(kept === undefined ? [] : [`  - The old branch is kept as ${mdCode(kept, 160)}`]),
]

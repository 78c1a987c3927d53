/**
 * The law of loop stages: a stage completes only by its own rule, never without a pass, and never while its checks
 * fail.
 */
import type { Event } from '../../model/event.ts'
import type { LoopStage } from '../../model/loop.ts'
import type { RunState } from '../../model/state.ts'
import type { Outcome } from '../../model/work.ts'
import { isStep, passIn } from '../../model/work-id.ts'
import type { Checker } from '../checker.ts'
import { isGreen, isNoWorse } from '../virtual-checks.ts'

type Pass = Event<'iteration.finished'>

/** The statements of agents and commands in the current pass that decide the stage's end. */
interface Said {
  judge: { stop: boolean; confidence: number } | null
  until: number | null
}

export const loops: Checker = {
  law: 'loops',
  watch({ git, scenario: { pipeline, config } }, report) {
    let position = 0
    let passes: Pass[] = []
    let said: Said = { judge: null, until: null }
    let begun = 0
    let polled = false
    const flaky = new Set<string>()
    let hasBase = false
    const stageNow = (): LoopStage | undefined => pipeline?.stages[position]
    /** The check failed on the base, or it is flaky. */
    const isKnown = (name: string, tree: string): boolean => flaky.has(name) || (hasBase && isNoWorse(name, tree, git))
    const isProven = (event: Pass, stage: LoopStage): boolean => {
      const { tree } = event
      return (
        !stage.checks
        || tree === null
        || config.checks.every(({ name }) => isGreen(name, git.filesOf(tree)) || isKnown(name, tree))
      )
    }

    function pass(event: Pass, stage: LoopStage): void {
      if (event.stage !== position)
        report(`a pass of stage ${event.stage} while it is the turn of ${position}`, event.seq)
      if (event.status !== 'failed') passes.push(event)
      const isRed = event.status === 'done' && event.changed > 0 && event.failure === null && !isProven(event, stage)
      if (isRed)
        report(`pass ${event.iteration} of ${stage.name} counts as right although its checks are red`, event.seq)
      const lands =
        event.status !== 'failed' && event.changed > 0 && event.failure === null && config.workspace.mode === 'worktree'
      const isLanded = event.base === null || git.treeOf(event.base) === event.tree
      if (lands && !isLanded) report(`pass ${event.iteration} of ${stage.name} has not landed`, event.seq)
      if (event.stop && !mayStop(stage, said))
        report(`pass ${event.iteration} of ${stage.name} ends it, and no completion condition is met`, event.seq)
      said = { judge: null, until: null }
    }

    function finished({ stage: nth, seq }: Event<'loop.finished'>, state: RunState): void {
      const stage = stageNow()
      if (nth !== position || !stage) return report(`stage ${nth} is over while it is the turn of ${position}`, seq)
      const wrong = stage.completion.kind === 'tasks-empty' ? notEmpty(state, begun, polled) : unfinished(stage, passes)
      if (wrong !== null) report(`${stage.name} (${stage.completion.kind}) is complete although ${wrong}`, seq)
      position++
      passes = []
      begun = 0
      polled = false
    }

    return {
      before(event, state) {
        for (const name of Object.keys(state.flaky)) flaky.add(name)
        hasBase ||= state.baseline !== null
        if (event.type === 'loop.finished') finished(event, state)
        if (event.type === 'work.finished' && state.works[event.id]) said = heard(said, event.id, event.outcome)
        if (event.type === 'task.started') begun++
        if (event.type === 'task.started' || (event.type === 'run.resumed' && state.status !== 'running'))
          polled = false
        if (event.type === 'source.polled') polled = event.problems.length === 0
        const stage = stageNow()
        if (event.type === 'iteration.finished' && stage) pass(event, stage)
        const isEarly =
          event.type === 'run.ended' && event.status === 'completed' && pipeline && position < pipeline.stages.length
        if (isEarly) report(`completed after ${position} of ${pipeline.stages.length} stages`, event.seq)
      },
    }
  },
}

function heard(said: Said, id: string, outcome: Outcome): Said {
  const isJudge = passIn(id) !== null && isStep(id, 'judge')
  if (isJudge && outcome.kind === 'turn' && outcome.status === 'ok')
    return { ...said, judge: outcome.result as Said['judge'] }
  if (passIn(id) !== null && isStep(id, 'until') && outcome.kind === 'check')
    return { ...said, until: outcome.exitCode }
  return said
}

function mayStop({ completion }: LoopStage, { judge, until }: Said): boolean {
  if (completion.kind === 'judge') return judge !== null && judge.stop && judge.confidence >= completion.confidence
  return completion.kind === 'until' && until === 0
}

function notEmpty({ tasks, pipeline }: RunState, begun: number, polled: boolean): string | null {
  const left = Object.values(tasks).filter(({ status }) => status !== 'done' && status !== 'cancelled')
  if (left.length > 0) return `${left[0]?.id} is ${left[0]?.status}`
  if (!polled) return 'no poll of the source followed'
  return begun === 0 && pipeline?.stages.length !== 1 ? 'it ran nothing' : null
}

/** Why a stage is not complete yet; null when it is. */
function unfinished({ completion, minIterations, runs }: LoopStage, passes: readonly Pass[]): string | null {
  const [last, before] = [passes.at(-1), passes.at(-2)]
  if (!last || passes.every(({ status }) => status !== 'done')) return 'it ran nothing'
  if (last.failure !== null) return 'its checks are red'
  const most = completion.kind === 'all-items' ? completion.items.length : runs
  const isLongEnough = passes.length >= minIterations
  const isAgreed = before !== undefined && [last, before].every(({ plateau, failure }) => plateau && failure === null)
  if (completion.kind === 'until') return last.stop && isLongEnough ? null : 'its command has not succeeded'
  if (passes.length >= most) return null
  if (completion.kind === 'plateau' && isAgreed && isLongEnough) return null
  return completion.kind === 'judge' && last.stop && isLongEnough ? null : `${passes.length} of ${most} passes are done`
}

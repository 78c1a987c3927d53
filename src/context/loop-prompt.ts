/** The prompt of a loop pass: the stage's text with its variables filled in, plus facts that its author cannot know. */
import type { LoopStage } from '../model/loop.ts'
import { resolveVariables, variablesIn, variableValues, type PassVariables } from '../model/variables.ts'
import type { RunState } from '../model/state.ts'
import type { TurnWork } from '../model/work.ts'
import { inputsText, type StageOutput } from '../views/pipelines/inputs.ts'
import { loopProgress } from '../views/pipelines/loop-progress.ts'
import { failureText, taskText } from './material.ts'
import type { Section } from './pack.ts'

/** Files that a pass reads and writes, relative to its workspace. */
export const loopFiles = { progress: '.looper/loop/progress.md', output: '.looper/loop/output.md' } as const

interface LoopFolders {
  cwd: string
  /** The run's folder, as a path that works from the agent's workspace. */
  runDir: string
}

export interface LoopPrompt {
  text: string
  sections: (Section | null)[]
}

/** Null when neither a stage nor the user has a prompt for this turn. */
export function loopPrompt(state: RunState, work: TurnWork, { cwd, runDir }: LoopFolders): LoopPrompt | null {
  const stage = stageOf(state, work)
  const words = stage?.prompt ?? (work.purpose === 'iterate' ? state.prompt : null)
  if (words === null) return null
  const { text } = resolveVariables(words, variableValues(passVariables(state, stage, work, { cwd, runDir })))
  return { text, sections: [red(state), unread(state, words)] }
}

export const stageOf = ({ pipeline, loop }: RunState, { purpose }: Pick<TurnWork, 'purpose'>): LoopStage | null =>
  purpose === 'iterate' ? (pipeline?.stages[loop?.stage ?? 0] ?? null) : null

function passVariables(
  state: RunState,
  stage: LoopStage | null,
  work: TurnWork,
  { cwd, runDir }: LoopFolders,
): PassVariables {
  const { loop, pipeline, session, run, goal, wave } = state
  const task = work.task === null ? undefined : state.tasks[work.task]
  const number = task ? wave : (loop?.iterations ?? 0) + 1
  const earlier = (pipeline?.stages ?? [])
    .slice(0, loop?.stage ?? 0)
    .map(({ name }) => [name, outputsOf(state, name, runDir)] as const)
  const items = stage?.completion.kind === 'all-items' ? stage.completion.items : []
  const perspectives = stage?.perspectives ?? []
  return {
    session: session ?? run,
    iteration: number,
    progress: `${cwd}/${loopFiles.progress}`,
    output: `${cwd}/${loopFiles.output}`,
    goal,
    task: task ? taskText(task) : '',
    item: items[number - 1] ?? '',
    perspective: perspectives[(number - 1) % perspectives.length] ?? '',
    inputs: inputsText(earlier.at(-1)?.[1] ?? []),
    inputsByStage: new Map(earlier.map(([name, outputs]) => [name, inputsText(outputs)])),
  }
}

const outputsOf = ({ loop }: RunState, stage: string, runDir: string): StageOutput[] =>
  (loop?.outputs[stage] ?? []).map(({ from, text }) => ({
    stage,
    from,
    path: `${runDir}/${outputFile(stage, from)}`,
    text,
  }))

/** Relative to the run's folder. `from` is the number of the pass, or the id of its task. */
export const outputFile = (stage: string, from: string): string => `outputs/${stage}/${from}.md`

const red = ({ loop }: RunState): Section | null =>
  loop?.failure
    ? {
        title: 'What is wrong with the files as they are',
        lead: 'Looper ran these checks after the last pass. Fix this first.',
        body: failureText(loop.failure),
        priority: 100,
        mandatory: true,
      }
    : null

/** Adds the content of the progress file to a prompt that never names the file. */
function unread(state: RunState, prompt: string): Section | null {
  const named = variablesIn(prompt).some(({ name }) => name === 'PROGRESS' || name === 'PROGRESS_FILE')
  return named || (state.loop?.entries.length ?? 0) + (state.loop?.patterns.length ?? 0) === 0
    ? null
    : { title: 'Progress so far', body: loopProgress(state), priority: 60, minTokens: 400 }
}

/** The `${…}` variables of a stage's prompt: their names and how they are substituted. */

export const variables = {
  SESSION: 'name of the session',
  SESSION_NAME: 'the same',
  ITERATION: 'number of the iteration, from 1',
  INDEX: 'the same, from 0',
  PROGRESS: 'path of the progress file: what earlier iterations did and learned',
  PROGRESS_FILE: 'the same',
  OUTPUT: 'path to write to what later stages should read',
  INPUTS: 'what the stage before this one wrote',
  GOAL: 'what the session is for; empty when none was given',
  TASK: 'the task at hand (`tasks-empty`)',
  ITEM: 'the item at hand (`all-items`)',
  PERSPECTIVE: 'the perspective of this iteration (`perspectives`)',
} as const
export type Variable = keyof typeof variables

/** `${INPUTS.plan}` is the output of the stage `plan`. */
export const inputsPrefix = 'INPUTS.'

export interface PassVariables {
  session: string
  /** Counts from 1. */
  iteration: number
  progress: string
  output: string
  goal: string
  task: string
  item: string
  perspective: string
  /** Outputs of the previous stage. */
  inputs: string
  /** Outputs of every earlier stage, by its name. */
  inputsByStage: ReadonlyMap<string, string>
}

export function variableValues(iteration: PassVariables): ReadonlyMap<string, string> {
  const { session, iteration: number, progress, output, goal, task, item, perspective, inputs } = iteration
  const values: Record<Variable, string> = {
    SESSION: session,
    SESSION_NAME: session,
    ITERATION: String(number),
    INDEX: String(number - 1),
    PROGRESS: progress,
    PROGRESS_FILE: progress,
    OUTPUT: output,
    INPUTS: inputs,
    GOAL: goal,
    TASK: task,
    ITEM: item,
    PERSPECTIVE: perspective,
  }
  const byStage = [...iteration.inputsByStage].map(([stage, text]): [string, string] => [
    `${inputsPrefix}${stage}`,
    text,
  ])
  return new Map([...Object.entries(values), ...byStage])
}

/** `$${NAME}` escapes a literal `${NAME}`. */
const variable = /\$?\$\{([A-Za-z_][\w.-]*)\}/g

export interface Resolved {
  text: string
  /** Unknown variables, each listed once; they stay in the text. */
  unknown: string[]
}

/** Substitutes in one pass, so that a value that looks like a variable is not expanded. */
export function resolveVariables(prompt: string, values: ReadonlyMap<string, string>): Resolved {
  const unknown = new Set<string>()
  const text = prompt.replace(variable, (whole, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1)
    const value = values.get(name)
    if (value === undefined) unknown.add(name)
    return value ?? whole
  })
  return { text, unknown: [...unknown] }
}

export interface VariableUse {
  name: string
  /** Number of lines before it. */
  linesAbove: number
}

/** Every use, in text order. */
export function variablesIn(prompt: string): VariableUse[] {
  return prompt
    .split('\n')
    .flatMap((line, linesAbove) =>
      [...line.matchAll(variable)]
        .filter(([whole]) => !whole.startsWith('$$'))
        .map(([, name = '']) => ({ name, linesAbove })),
    )
}

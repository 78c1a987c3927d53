/**
 * Lists every key of a definition with its type and meaning. Both `min_iterations` and `minIterations` are accepted.
 */
import { block, boolean, between, choice, outputFields, text, whole, words, type Read } from './read-value.ts'
import type { YamlList } from './yaml-value.ts'

interface Key<T> {
  read: Read<T>
  /** Text for the guide. */
  about: string
}
const key = <T>(read: Read<T>, about: string): Key<T> => ({ read, about })

export const completions = ['tasks-empty', 'beads-empty', 'plateau', 'fixed-n', 'all-items', 'judge', 'until'] as const
export type CompletionName = (typeof completions)[number]

export const mostRuns = 10_000

/** Keys of a stage, and of its entry in a pipeline, which overrides them. */
const common = {
  description: key(text, 'what it is for, in one sentence'),
  prompt: key(
    block,
    'the prompt itself, or the name of a file beside this one that ends in `.md`; `prompt.md` for stages',
  ),
  completion: key(choice(...completions), 'when it is enough'),
  runs: key(whole(1, mostRuns), 'iterations at most; for `fixed-n` exactly. Also `max_iterations`'),
  minIterations: key(whole(0, mostRuns), 'iterations before the completion is looked at (1): plateau, judge, until'),
  source: key(choice('todo-file', 'beads', 'claude-tasks'), 'where the tasks are (`todo-file`): tasks-empty'),
  items: key(words, 'list of items: all-items'),
  itemsFrom: key(text, 'a file of the project with one item a line: all-items'),
  until: key(text, 'a shell line that exits 0 when it is enough: until'),
  confidence: key(between(0, 1), 'how sure the judge must be (0.5): judge'),
  delay: key(between(0, 86_400), 'seconds between iterations (0)'),
  agent: key(text, 'the agent, where it is not the one of the configuration'),
  model: key(text, 'the model, likewise'),
  perspectives: key(words, 'values of `${PERSPECTIVE}`, one after the other, over and over'),
  outputParse: key(
    outputFields,
    'fields of the answer that may be lines of their own: `plateau:PLATEAU reasoning:REASONING`',
  ),
  checks: key(boolean, 'whether the checks of the project judge what an iteration changed (true)'),
  checkBefore: key(boolean, 'accepted; tasks are always looked for before an iteration'),
} as const

export const stageKeys = { name: key(text, 'its name: that of its folder'), ...common } as const

export const entryKeys = {
  name: key(text, 'its name in this pipeline; that of the stage when absent'),
  stage: key(text, 'the stage. Also `loop`'),
  ...common,
} as const

const stageList: Read<YamlList> = (value) => (value.kind === 'list' ? { value } : { wrong: 'must be a list of stages' })

export const pipelineKeys = {
  name: key(text, 'its name: that of its file'),
  description: key(text, 'what it is for, in one sentence'),
  stages: key(stageList, 'the stages, in their order'),
} as const

/** Synonyms of keys. */
export const otherNames: Readonly<Record<string, string>> = { maxIterations: 'runs', loop: 'stage' }

export type Keys = Readonly<Record<string, Key<unknown>>>

export interface Given<T> {
  value: T
  file: string
  line: number
}
export type Fields<K extends Keys> = { [N in keyof K]?: K[N] extends Key<infer T> ? Given<T> : never }
export type StageFields = Fields<typeof common>

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

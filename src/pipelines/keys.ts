/**
 * Lists every key of a definition with its type and meaning. Both `min_iterations` and `minIterations` are accepted.
 */
import { sourceKinds } from '../model/source.ts'
import { optional } from '../schema/field.ts'
import type { Field, Spec } from '../schema/shape.ts'
import { boolean, called, choice, list, number, object, text as filled, textLike, whole } from '../schema/spec.ts'
import { block, entries, outputFields, scalar, words, type Read } from './read-value.ts'

/** `read` converts the spellings that the key accepts. The text of `about` is for the guide. */
interface Key<T> extends Field {
  read: Read<T>
}
const spelled = <V, T>(read: (spec: Spec<V>) => Read<T>, spec: Spec<V>, about: string): Key<T> => ({
  ...optional(spec, about),
  read: read(spec),
})
const key = <T>(spec: Spec<T>, about: string): Key<T> => spelled(scalar, spec, about)

const text = called('a text', filled)
const texts = called('a list of texts', list(text))
const word = '[A-Za-z][A-Za-z0-9_-]*'
const pair = `${word}:(?:${word}|<${word}>)`
const fieldsWithLabels = textLike(
  'fields with their labels, like "plateau:PLATEAU reasoning:REASONING"',
  new RegExp(`^\\s*${pair}(?:[\\s,]+${pair})*\\s*$`),
)

export const completions = ['tasks-empty', 'beads-empty', 'plateau', 'fixed-n', 'all-items', 'judge', 'until'] as const
export type CompletionName = (typeof completions)[number]

export const mostRuns = 10_000

/** Keys of a stage, and of its entry in a pipeline, which overrides them. */
const common = {
  description: key(text, 'what it is for, in one sentence'),
  prompt: spelled(
    block,
    text,
    'the prompt itself, or the name of a file beside this one that ends in `.md`; `prompt.md` for stages',
  ),
  completion: key(choice(...completions), 'when it is enough'),
  runs: key(whole({ min: 1, max: mostRuns }), 'iterations at most; for `fixed-n` exactly. Also `max_iterations`'),
  minIterations: key(
    whole({ max: mostRuns }),
    'iterations before the completion is evaluated (1): plateau, judge, until',
  ),
  source: key(choice(...sourceKinds), 'where the tasks are (`todo-file`): tasks-empty'),
  items: spelled(words, texts, 'list of items: all-items'),
  itemsFrom: key(text, 'a file of the project with one item a line: all-items'),
  until: key(text, 'a shell line that exits 0 when it is enough: until'),
  confidence: key(number({ max: 1 }), 'how sure the judge must be (0.5): judge'),
  delay: key(number({ max: 86_400 }), 'seconds between iterations (0)'),
  agent: key(text, 'the agent, where it is not the one of the configuration'),
  model: key(text, 'the model, likewise'),
  perspectives: spelled(words, texts, 'values of `${PERSPECTIVE}`, one after the other, over and over'),
  outputParse: spelled(
    outputFields,
    fieldsWithLabels,
    'fields of the answer that may be lines of their own: `plateau:PLATEAU reasoning:REASONING`',
  ),
  checks: key(boolean, 'whether the checks of the project judge what an iteration changed (true)'),
  checkBefore: key(boolean, 'accepted; tasks are always polled before an iteration'),
} as const

export const stageKeys = { name: key(text, 'its name: that of its folder'), ...common } as const

export const entryKeys = {
  name: key(text, 'its name in this pipeline; that of the stage when absent'),
  stage: key(text, 'the stage. Also `loop`'),
  ...common,
} as const

const stages = called('a list of stages', list(object(entryKeys)))

export const pipelineKeys = {
  name: key(text, 'its name: that of its file'),
  description: key(text, 'what it is for, in one sentence'),
  stages: spelled(entries, stages, 'the stages, in their order'),
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

/** Scripts: rules for matching requests, and steps that answer the other requests in order. */
import { allWords, isTitleRequest, lastWords, type ModelRequest } from './model-request.ts'
import type { Step } from './step.ts'

export type Pattern = string | RegExp

/** All given parts must match; a text must occur, a pattern must match. */
export interface Match {
  system?: Pattern
  /** Everything since the model's last message. */
  last?: Pattern
  /** Anything in the conversation, including its instructions. */
  anywhere?: Pattern
  model?: Pattern
  /** A tool of this name is offered. */
  tool?: string
  structured?: boolean
}

/** A step, or a function that makes one from the request. */
export type StepFor = Step | ((request: ModelRequest) => Step | Promise<Step>)

/** `always` answers every matching request; each of `steps` answers one, then the rule is used up. */
export type Rule = { when: Match | ((request: ModelRequest) => boolean) } & (
  { always: StepFor } | { steps: readonly StepFor[] }
)

export interface Script {
  /** The first matching rule that is not used up answers. */
  rules?: readonly Rule[]
  /** For requests that no rule answers. */
  steps?: readonly StepFor[]
  /** For requests after the last step. */
  otherwise?: StepFor
}

export type ScriptSource = Script | readonly StepFor[]

export interface Chosen {
  step: Step
  /**
   * script: as written. aside: a request beside the work, such as for a title. unscripted: no part of the script
   * matches.
   */
  by: 'script' | 'aside' | 'unscripted'
}

const noTokens = { input: 0, output: 0 }
const titleFor = ({ schema }: ModelRequest): Step =>
  schema === null ? { text: 'A title', usage: noTokens } : { result: { title: 'A title' }, usage: noTokens }
const unscripted: Step = { status: 400, message: 'The script has no step for this request.' }

/** Answers requests in the order of arrival and keeps track of used rules and steps. */
export function createChooser(source: ScriptSource): { choose(request: ModelRequest): Promise<Chosen> } {
  const script: Script = isList(source) ? { steps: source } : source
  const rules = (script.rules ?? []).map((rule) => ({ rule, steps: 'steps' in rule ? [...rule.steps] : null }))
  const steps = [...(script.steps ?? [])]
  const find = (request: ModelRequest): StepFor | undefined => {
    for (const { rule, steps: left } of rules) {
      const step = left === null ? ('always' in rule ? rule.always : undefined) : left[0]
      if (step === undefined || !holds(rule.when, request)) continue
      left?.shift()
      return step
    }
    return undefined
  }
  return {
    async choose(request) {
      const found = find(request)
      if (found === undefined && isTitleRequest(request)) return { step: titleFor(request), by: 'aside' }
      const step = found ?? steps.shift() ?? script.otherwise
      if (step === undefined) return { step: unscripted, by: 'unscripted' }
      return { step: typeof step === 'function' ? await step(request) : step, by: 'script' }
    },
  }
}

const isList = (source: ScriptSource): source is readonly StepFor[] => Array.isArray(source)

function holds(when: Rule['when'], request: ModelRequest): boolean {
  if (typeof when === 'function') return when(request)
  const found = (pattern: Pattern | undefined, text: string): boolean =>
    pattern === undefined || (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text))
  return (
    found(when.system, request.system)
    && found(when.last, lastWords(request))
    && found(when.anywhere, `${request.system}\n${allWords(request)}`)
    && found(when.model, request.model)
    && (when.tool === undefined || request.tools.some(({ name }) => name === when.tool))
    && (when.structured === undefined || when.structured === (request.schema !== null))
  )
}

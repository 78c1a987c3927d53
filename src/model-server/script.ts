/** What is to be answered to whom: rules for requests of a kind, steps for the rest, one after the other. */
import { allWords, isTitleRequest, lastWords, type ModelRequest } from './model-request.ts'
import type { Step } from './step.ts'

export type Pattern = string | RegExp

/** Every part that is given must hold; a text must occur, a pattern match. */
export interface Match {
  system?: Pattern
  /** What came since the model last spoke. */
  last?: Pattern
  /** Anything in the conversation, its instructions included. */
  anywhere?: Pattern
  model?: Pattern
  /** A tool of this name is offered. */
  tool?: string
  structured?: boolean
}

/** A step, or what makes one of the request: an answer may depend on what is asked. */
export type StepFor = Step | ((request: ModelRequest) => Step | Promise<Step>)

/** `always` answers every request that matches; `steps` one each, then the rule is spent. */
export type Rule = { when: Match | ((request: ModelRequest) => boolean) } & (
  { always: StepFor } | { steps: readonly StepFor[] }
)

export interface Script {
  /** The first that matches and is not spent answers. */
  rules?: readonly Rule[]
  /** For requests no rule answers. */
  steps?: readonly StepFor[]
  /** When all steps are used up. */
  otherwise?: StepFor
}

export type ScriptSource = Script | readonly StepFor[]

export interface Chosen {
  step: Step
  /**
   * script: as written. aside: a request beside the work, such as for a title. unscripted: the script says nothing
   * about it.
   */
  by: 'script' | 'aside' | 'unscripted'
}

const noTokens = { input: 0, output: 0 }
const titleFor = ({ schema }: ModelRequest): Step =>
  schema === null ? { text: 'A title', usage: noTokens } : { result: { title: 'A title' }, usage: noTokens }
const unscripted: Step = { status: 400, message: 'The script has no step for this request.' }

/** Takes requests in the order of their coming; remembers what is spent. */
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

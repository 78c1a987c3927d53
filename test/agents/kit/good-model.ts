/**
 * The scripted model's part in a run: it plays every role well, with the tools of the CLI that asks, unless a test has
 * it do otherwise.
 */
import { tokensOf } from '../../../src/model-server/step.ts'
import type { ModelMessage, ModelRequest, Rule, Script, Step, TokenCounts } from '../../../src/testing.ts'
import type { RealAgent } from './real-agents.ts'

type Answer = Extract<Step, { text?: string }>

export interface Asked {
  role: string
  task: string | null
  /** What Looper said last. */
  prompt: string
  isRepair: boolean
  /** How often the model has answered since. */
  step: number
  request: ModelRequest
}

/** Undefined: as a good model would. */
export type Behavior = (asked: Asked) => Step | Promise<Step> | undefined

export interface GoodModel {
  script: Script
  /** What the answers told of their size, in the order of their giving. */
  told: { asked: Asked; tokens: TokenCounts }[]
}

const spoken = /You are the (\w+) of (?:task (\S+) in )?run|Your last answer could not be used/

export function goodModel(agent: RealAgent, tasks: readonly object[], behave: Behavior = () => undefined): GoodModel {
  const told: GoodModel['told'] = []
  const answer = async (request: ModelRequest): Promise<Step> => {
    const asked = readRequest(request)
    const step = spell(
      agent,
      request,
      isReported(agent, request) ? { text: 'Done.', usage } : ((await behave(asked)) ?? play(agent, tasks, asked)),
    )
    if (isAnswer(step)) told.push({ asked, tokens: tokensOf(step) })
    return step
  }
  // Those that offer no tools are beside the work: most want it summed up.
  const aside: Rule = { when: ({ tools }) => tools.length === 0, always: sumUp }
  return { told, script: { rules: [aside, { when: ({ messages }) => messages.some(isPrompt), always: answer }] } }
}

/** An answer goes through Looper's tool where the CLI offers it, else in the way the request asks for. */
function spell({ tools }: RealAgent, request: ModelRequest, step: Step): Step {
  if (!request.tools.some(({ name }) => name === tools.report('').name) || !isAnswer(step) || step.result === undefined)
    return step
  const { result, ...rest } = step
  return { ...rest, toolCalls: [...(rest.toolCalls ?? []), { ...tools.report(''), input: result }] }
}

/** That tool was called, and nothing is left to say. */
const isReported = ({ tools }: RealAgent, { messages }: ModelRequest): boolean =>
  messages.at(-1)?.role === 'user'
  && (messages
    .findLast(({ role }) => role === 'assistant')
    ?.toolCalls.some(({ name }) => name === tools.report('').name)
    ?? false)

const isAnswer = (step: Step): step is Answer => !('status' in step || 'overflow' in step || 'garbage' in step)

/** Also what is left of one in a summary. */
const isPrompt = ({ text }: ModelMessage): boolean => spoken.test(text)

const sumUp = ({ messages }: ModelRequest): Step => ({
  text: messages.map(({ text }) => spoken.exec(text)?.[0] ?? '').findLast((words) => words !== '') ?? 'Hi.',
  usage: { input: 0, output: 0 },
})

export function readRequest(request: ModelRequest): Asked {
  const { messages } = request
  const prompts = messages.filter(isPrompt).map(({ text }) => text)
  const named = prompts.map((text) => spoken.exec(text)).findLast((found) => found?.[1] !== undefined)
  const since = messages.slice(messages.findLastIndex(isPrompt) + 1)
  const prompt = prompts.at(-1) ?? ''
  return {
    request,
    prompt,
    role: named?.[1] ?? '',
    task: named?.[2] ?? null,
    isRepair: prompt.includes('Your last answer could not be used'),
    step: since.filter(({ role }, index) => role === 'assistant' && since[index - 1]?.role !== 'assistant').length,
  }
}

/** Large enough to cost cents, and every part different, so that none can be mistaken for another. */
export const usage: TokenCounts = { input: 9_000, cacheRead: 5_000, cacheWrite: 700, output: 1_100, reasoning: 300 }

export const madeBy = (task: string | null): string => `made by ${task}\n`

function play({ tools }: RealAgent, tasks: readonly object[], { role, task, step }: Asked): Step {
  switch (role) {
    case 'planner':
      return { result: { status: 'plan', tasks }, usage }
    case 'supervisor':
      return { result: { score: 90, summary: 'fine', issues: [], missing: [], feedback: '' }, usage }
    case 'tester':
      return { result: { status: 'passed', total: 1, passed: 1, failed: 0, failures: [], summary: 'ok' }, usage }
    default:
      return step === 0
        ? { text: 'I write it.', toolCalls: [tools.write(`${task}.txt`, madeBy(task))], usage }
        : { result: { status: 'complete', summary: `made ${task}`, files: [`${task}.txt`] }, usage }
  }
}

/**
 * Builds and parses work ids. An id names the owner of the work, the steps below it and its try:
 * `T003/a2/check1.2/1.rerun1`. Journals store ids, so their format never changes.
 */

/** Owners of work that are not tasks; passes and waves are numbered instead. */
export type FixedOwner = 'plan' | 'gate' | 'backlog' | 'baseline' | 'look' | 'report' | 'limit'

/** A kind of work, below an owner or one of its rounds. */
export type StepName =
  | 'prepare'
  | 'look'
  | 'implement'
  | 'fix'
  | 'iterate'
  | 'inspect'
  | 'merge'
  | 'check'
  | 'trial'
  | 'land'
  | 'move'
  | 'outside'
  | 'proof'
  | 'reverse'
  | 'test'
  | 'verify'
  | 'split'
  | 'review'
  | 'judge'
  | 'until'
  | 'delay'
  | 'bisect'
  | 'revert'
  | 'checkpoint'
  | 'rollback'
  | 'bootstrap'
  | 'repair'
  | 'again'
  | 'probe'
  | 'finish'
  | 'done'

/** A repeated try after a question got no valid answer. */
export type Try = 'repair' | 'retry' | 'fresh' | `again${number}` | `wait${number}` | 'quota'

export const attemptId = (task: string, n: number): string => `${task}/a${n}`
export const planId = (revision: number): string => `plan/r${revision}`
export const gateId = (round: number): string => `gate/g${round}`
export const pollId = (poll: number): string => `look/${poll}`
export const timeLimitId = (until: string): string => `limit/time/${until}`
export const waveOwner = (wave: number): string => `wave${wave}`

/** `stage` counts from 0, `pass` and `nth` (of its tries) from 1. */
export const passOwner = (stage: number, pass: number, nth = 1): string =>
  `loop${stage + 1}.${pass}${nth === 1 ? '' : `.${nth}`}`

/** An audit of the branch with this many landings; `doubts`: how many checks were found flaky before. */
export const auditId = (wave: number, landings: number, doubts?: number): string =>
  `wave${wave}/at${landings}${doubts === undefined ? '' : `.${doubts}`}`

/** `nth`: which of several steps with that name; `again`: how often that one was repeated. */
export const stepId = (parent: string, name: StepName, nth: number | '' = '', again = 0): string =>
  `${parent}/${name}${nth}${again === 0 ? '' : `.${again}`}`

/** One check of a list, counted from 1. */
export const placeId = (parent: string, index: number): string => `${parent}/${index}`

/** A rollback is named after its target commit. */
export const rollbackId = (wave: number, nth: number, to: string): string =>
  `${stepId(waveOwner(wave), 'rollback', nth)}-${to.slice(0, 12)}`

export const rerunId = (check: string, nth: number): string => (nth === 0 ? check : `${check}.rerun${nth}`)

export const tryAt = (question: string, step: Try): string => `${question}.${step}`

/** One step of an id: `merge1.2` is `{ name: 'merge', nth: 1, rest: '.2' }`. */
export interface WorkStep {
  name: string
  nth: number | null
  rest: string
}

export interface WorkId {
  owner: string
  steps: WorkStep[]
  /** The suffix after the last step: `.retry`, `.rerun1`. */
  tries: string
}

const questionTries = /(?:\.(?:repair|retry|fresh|again\d+|wait\d+|quota))+$/
const allTries = /(?:\.(?:repair|retry|fresh|again\d+|wait\d+|quota|rerun\d+))+$/
const stepPattern = /^([a-z-]*)(0|[1-9]\d{0,14})?([^]*)$/

/** Accepts any text, so that origins can be parsed as well. `makeWorkId` is its inverse. */
export function readWorkId(id: string): WorkId {
  const tries = allTries.exec(id)?.[0] ?? ''
  const [owner = '', ...steps] = id.slice(0, id.length - tries.length).split('/')
  return { owner, steps: steps.map(readStep), tries }
}

function readStep(text: string): WorkStep {
  const [, name = '', nth, rest = ''] = stepPattern.exec(text) ?? []
  return { name, nth: nth === undefined ? null : Number(nth), rest }
}

export const makeWorkId = ({ owner, steps, tries }: WorkId): string =>
  [owner, ...steps.map(({ name, nth, rest }) => `${name}${nth ?? ''}${rest}`)].join('/') + tries

/** The owner whose outcomes are kept and dropped together: a task, a pass, a wave, or a fixed owner. */
export function ownerOf(id: string): string {
  const end = id.indexOf('/')
  return end === -1 ? id : id.slice(0, end)
}

/** The first part of an owner: `loop1` for all passes of that stage, `T1` for the parts of that task. */
export const stemOf = (id: string): string => id.replace(/[./].*$/, '')

/** The question that a try belongs to. An error is history once a later try at the question succeeds. */
export const questionOf = (id: string): string => id.replace(questionTries, '')

/** Whether the id is the question itself or a try at it. */
export const isTryAt = (id: string, question: string): boolean => id === question || id.startsWith(`${question}.`)

/** Whether the last try of the id is of that kind. */
export const isTry = (id: string, kind: 'repair' | 'retry' | 'rerun'): boolean => new RegExp(`\\.${kind}\\d*$`).test(id)

/** Which rerun of a check it is, from 1; null for a first run. */
export function rerunIn(id: string): number | null {
  const nth = /\.rerun(\d+)$/.exec(id)?.[1]
  return nth === undefined ? null : Number(nth)
}

/** The question that the wait is for; `nth` is null if its agent was known to be out of quota before. */
export function awaited(id: string): { question: string; nth: number | null } | null {
  const [, question, nth] = /^(.+)\.(?:wait(\d+)|quota)$/.exec(id) ?? []
  return question === undefined ? null : { question, nth: nth === undefined ? null : Number(nth) }
}

/** The attempt at a task that the work belongs to. */
export function attemptIn(id: string): number | null {
  const n = /^[^/]+\/a(\d+)\//.exec(id)?.[1]
  return n === undefined ? null : Number(n)
}

/** Whether the id is below `parent`. */
export const isBelow = (id: string, parent: string): boolean => id.startsWith(`${parent}/`)

/** The last step of an id, without its tries. */
export const lastStep = (id: string): WorkStep | null => readWorkId(id).steps.at(-1) ?? null

/** The last part of an id as text, with its tries: `merge1.2`. */
export const lastPart = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

/** `T003/a2/merge1` (or `revert1`) and `T003/a2/land1` are two steps of one landing, `T003/a2/1`. */
export const landingOf = (id: string): string => id.replace(/\/(?:merge|revert|land|move)([\d.]*)$/, '/$1')

/** Whether one of its steps has one of these names. */
export const hasStep = (id: string, ...names: readonly StepName[]): boolean =>
  readWorkId(id).steps.some(({ name }) => names.some((wanted) => wanted === name))

/** Whether it ends with a step of one of these names, without its tries. */
export const isStep = (id: string, ...names: readonly StepName[]): boolean => {
  const last = lastStep(id)
  return names.some((name) => name === last?.name)
}

/** Whether the id is the plan itself, not its review. */
export const isPlan = (id: string): boolean => /^plan\/r\d+(?:\.\w+)?$/.test(id)

export const isTimeLimit = (id: string): boolean => ownerOf(id) === 'limit'

/** Whether the id is the delay between two passes that the user configured. */
export const isDelay = (id: string): boolean => isStep(id, 'delay')

/** The wave in an owner or an id. */
export function waveIn(id: string): number | null {
  const wave = /^wave(\d+)(?:\/|$)/.exec(id)?.[1]
  return wave === undefined ? null : Number(wave)
}

/** The pass in an owner or an id; all numbers count from 1. */
export function passIn(id: string): { stage: number; pass: number; nth: number } | null {
  const [, stage, pass, nth = 1] = /^loop(\d+)\.(\d+)(?:\.(\d+))?(?:\/|$)/.exec(id) ?? []
  return pass === undefined ? null : { stage: Number(stage), pass: Number(pass), nth: Number(nth) }
}

/** Names that no task can have, because work ids start with them. */
export const isOwnerOfWork = (name: string): boolean => /^(?:loop[\d.]*|wave\d+)$/i.test(name)

/** The origin of a task that a person's command added. */
export const commandOrigin = (command: string): string => `command/${command}`

export const isFromCommand = (origin: string): boolean => isBelow(origin, 'command')

/** Whether the task, question or finding comes from a turn of the planner or its reviewer. */
export const isFromPlan = (origin: string): boolean => isBelow(origin, 'plan')

/** Who wrote what has this origin; null when the task source says it. */
export function authorOfOrigin(origin: string): 'person' | 'planner' | 'agent' | null {
  if (origin === 'source') return null
  if (isFromCommand(origin)) return 'person'
  return isFromPlan(origin) || isBelow(origin, 'backlog') ? 'planner' : 'agent'
}

/** The origin of one part of an answer: of a question or a decision by its index, of a surplus by its name. */
export const partOrigin = (answer: string, part: number | string): string => `${answer}#${part}`

/** Whether the origin is a part of this answer. */
export const isPartOf = (origin: string, answer: string): boolean => origin.startsWith(`${answer}#`)

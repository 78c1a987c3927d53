/** Zod schemas of the answers to each purpose: agent output is parsed here. Extra keys are kept. */
import * as z from 'zod'
import { permissionNoun } from './permission.ts'
import { purposes, type Purpose, type ResultShape } from './purposes.ts'
import { mostTasks } from './task.ts'
import { blockKinds, issueSeverities, taskComplexities } from './vocabulary.ts'

const text = z.string().max(200_000)
const texts = z.array(text).max(1_000)
const list = texts.default([])

/** Maximum number of questions, and of decisions, in one answer. */
const mostAsides = 50

export const TaskAnswer = z.looseObject({
  id: text.optional(),
  title: text.min(1),
  description: text.default(''),
  complexity: z.enum(taskComplexities).default('medium'),
  type: text.nullable().default(null),
  dependsOn: list,
  criteria: list,
  checks: list,
  files: list,
  repairs: texts.optional().describe('Names of checks that are red and that this task is to fix.'),
  allows: texts.optional().describe(`What this task may weaken: ${permissionNoun}.`),
  priority: z.number().nullable().default(null),
})
export type TaskAnswer = z.infer<typeof TaskAnswer>

const QuestionAnswer = z.looseObject({
  id: text.optional(),
  text: text.min(1),
  options: list,
  default: text.nullable().default(null),
  blocks: list,
})
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

const DecisionAnswer = z.looseObject({
  title: text.min(1),
  context: text.default(''),
  choice: text.default(''),
  alternatives: z
    .array(z.looseObject({ option: text, why: text.default('') }))
    .max(50)
    .default([]),
  dependsOn: list,
  invalidatedIf: text.nullable().default(null),
})
export type DecisionAnswer = z.infer<typeof DecisionAnswer>

const tasks = z.array(TaskAnswer).max(mostTasks).default([])
const questions = z.array(QuestionAnswer).max(mostAsides).default([])
const decisions = z.array(DecisionAnswer).max(mostAsides).default([])

export const PlannerResult = z.looseObject({
  status: z.enum(['plan', 'needs_clarification']).default('plan'),
  tasks,
  risks: list,
  assumptions: list,
  decisions,
  questions,
  analysis: text.optional(),
})
export type PlannerResult = z.infer<typeof PlannerResult>

export const SupervisorResult = z.looseObject({
  score: z.number(),
  summary: text.default(''),
  issues: z
    .array(z.looseObject({ severity: z.enum(issueSeverities).default('major'), message: text }))
    .max(200)
    .default([]),
  missing: list,
  feedback: text.default(''),
  /** One verdict per task of a wave. */
  verdicts: z
    .array(z.looseObject({ task: text, approved: z.boolean(), feedback: text.default('') }))
    .max(500)
    .optional(),
})
export type SupervisorResult = z.infer<typeof SupervisorResult>

export const CoderResult = z.looseObject({
  status: z.enum(['complete', 'blocked', 'needs_clarification']),
  summary: text.default(''),
  files: list,
  decisions,
  questions,
  blocker: z
    .looseObject({ kind: z.enum(blockKinds).default('external'), reason: text.default('') })
    .nullable()
    .optional(),
  newTasks: tasks,
})
export type CoderResult = z.infer<typeof CoderResult>

export const TesterResult = z.looseObject({
  status: z.enum(['passed', 'failed', 'blocked']),
  total: z.number().optional(),
  passed: z.number().optional(),
  failed: z.number().optional(),
  failures: z
    .array(z.looseObject({ name: text, file: text.nullable().optional(), error: text.default('') }))
    .max(500)
    .default([]),
  summary: text.default(''),
})
export type TesterResult = z.infer<typeof TesterResult>

export const IteratorResult = z.looseObject({
  task_id: text.nullable().default(null),
  status: z.enum(['done', 'blocked', 'skipped', 'continue', 'stop']),
  summary: text.default(''),
  files: list,
  blockers: list,
  new_tasks: tasks,
  plateau: z.boolean().optional(),
  reasoning: text.optional(),
  /** Lasting facts about the codebase, for later agents. */
  patterns: list,
  /** Text for the next stage of a pipeline. */
  output: text.optional(),
  decisions,
  questions,
})
export type IteratorResult = z.infer<typeof IteratorResult>

export const JudgeResult = z.looseObject({ stop: z.boolean(), confidence: z.number(), reason: text.default('') })
export type JudgeResult = z.infer<typeof JudgeResult>

/** By the shape that the table of purposes names. */
const resultSchemas = {
  planner: PlannerResult,
  supervisor: SupervisorResult,
  coder: CoderResult,
  tester: TesterResult,
  iterator: IteratorResult,
  judge: JudgeResult,
} as const satisfies Record<ResultShape, z.ZodObject>

export const schemaOf = (purpose: Purpose): z.ZodObject => resultSchemas[purposes[purpose].result]

/** A valid answer of this shape. */
export type ResultIn<S extends ResultShape> = z.infer<(typeof resultSchemas)[S]>

/** A valid answer to this purpose. */
export type ResultOf<P extends Purpose> = ResultIn<(typeof purposes)[P]['result']>

/** Items that agents may report one by one while they work: their keys in answers, and how many are allowed. */
export const asideSchemas = {
  decision: { schema: DecisionAnswer, keys: ['decisions'], most: mostAsides },
  task: { schema: TaskAnswer, keys: ['newTasks', 'new_tasks', 'tasks'], most: mostTasks },
  question: { schema: QuestionAnswer, keys: ['questions'], most: mostAsides },
} as const
export type AsideKind = keyof typeof asideSchemas

/** The JSON Schema of an answer. */
export const jsonSchemaOf = (schema: z.ZodType): object => z.toJSONSchema(schema, { io: 'input' })

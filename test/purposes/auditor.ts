/** A made-up role with two purposes: the edits that add it to a copy of the sources, and a run that plays it. */

/** `after` or `before` names the text beside which `add` goes. A file without either is new. */
export interface Edit {
  file: string
  after?: string
  before?: string
  add: string
}

const listRow = `  'list-risks': {
    role: 'auditor',
    result: 'auditor',
    access: 'read',
    template: 'auditor.list-risks',
    sections: ['goal', 'tasksWithEvidence'],
    label: 'listing risks',
    announced: true,
    budgetTokens: 4_000,
  },
`
export const weighRow = `  'weigh-risks': {
    role: 'auditor',
    result: 'supervisor',
    access: 'run',
    template: 'auditor.weigh-risks',
    sections: ['goal', 'decisions'],
    label: 'weighing risks',
    announced: true,
    budgetTokens: usualTokens,
  },
`

/** The table: a role, the shape of its answer, two purposes. */
const table: Edit[] = [
  { file: 'src/model/purposes.ts', after: "  'expert',\n", add: "  'auditor',\n" },
  { file: 'src/model/purposes.ts', after: "  | 'judge'\n", add: "  | 'list-risks'\n  | 'weigh-risks'\n" },
  { file: 'src/model/purposes.ts', after: "  supervisor: ['APPROVE', 'REVISE'],\n", add: '  auditor: [],\n' },
  {
    file: 'src/model/purposes.ts',
    before: '} as const satisfies Record<Purpose, PurposeRow<Role, ResultShape>>\n',
    add: listRow + weighRow,
  },
  {
    file: 'src/model/results.ts',
    before: '/** By the shape that the table of purposes names. */\n',
    add: `export const AuditorResult = z.looseObject({ risks: z.array(z.looseObject({ name: text, odds: z.number() })), questions })

`,
  },
  { file: 'src/model/results.ts', after: '  supervisor: SupervisorResult,\n', add: '  auditor: AuditorResult,\n' },
]

const prompts: Edit[] = [
  { file: 'prompts/auditor.list-risks.md', add: 'List the risks of run ${RUN}.\n\n${CONTEXT}\n\n${RESULT}\n' },
  {
    file: 'prompts/auditor.weigh-risks.md',
    add: 'Weigh the risks. ${APPROVE} is enough.\n\n${CONTEXT}\n\n${RESULT}\n',
  },
  { file: 'prompts/result.auditor.md', add: '{ "risks": [{ "name": "…", "odds": 0.5 }] }\n' },
]

/** Asks both before the report is written. Its types follow from the purposes that it names. */
const stage: Edit[] = [
  {
    file: 'src/core/stages/audit-risks.ts',
    add: `/** Asks an auditor for risks, then whether the run can live with them. */
import type { RunState } from '../../model/state.ts'
import { ask } from '../questions/answers.ts'
import type { Proposal } from '../proposal.ts'
import { failsRun, unanswered } from '../questions/unanswered.ts'

const shared = { workspace: 'main', task: null, attempt: 1, turn: 1, tree: null } as const

export function auditRisks(state: RunState): Proposal | null {
  const listed = ask(state, {
    id: 'risks/list',
    purpose: 'list-risks',
    ...shared,
    objections: ({ risks }) => risks.filter(({ odds }) => odds > 1).map(({ name }) => \`\${name}: odds above 1\`),
  })
  if (listed.status !== 'done') return unanswered(listed, failsRun('no risks'))
  const names: string[] = listed.outcome.result.risks.map(({ name }) => name)
  if (names.length === 0) return null
  const weighed = ask(state, { id: 'risks/weigh', purpose: 'weigh-risks', ...shared })
  if (weighed.status !== 'done') return unanswered(weighed, failsRun('no verdict on the risks'))
  const score: number = weighed.outcome.result.score
  return score < 0 ? failsRun('the risks')({ kind: 'crash', message: names.join(), resetsAt: null }) : null
}
`,
  },
  {
    file: 'src/core/stages/report.ts',
    after: 'export function decideReport(state: RunState): Proposal {\n',
    add: '  const audit = auditRisks(state)\n  if (audit) return audit\n',
  },
  {
    file: 'src/core/stages/report.ts',
    before: "import { recordLanded } from './execute.ts'\n",
    add: "import { auditRisks } from './audit-risks.ts'\n",
  },
]

export const edits: readonly Edit[] = [...table, ...prompts, ...stage]

/** Plays a run to its end and prints what the parts of Looper say of the new purposes. */
export const script = `
import { validateResult, resultJsonSchema } from './src/agents/result.ts'
import { createAsideTools } from './src/agents/tools/aside-tools.ts'
import { keys } from './src/config/keys.ts'
import { createRenderer } from './src/context/prompt.ts'
import { loadTemplates } from './src/context/templates.ts'
import { schemaFile } from './src/dispatch/schema-file.ts'
import { writes } from './src/model/purposes.ts'
import { activity } from './src/views/live/activity.ts'
import { noPaint } from './src/views/text/paint.ts'
import { workLine } from './src/views/live/work-lines.ts'
import { baseConfig, ok, play, verdict } from './test/kit/play.ts'

const render = createRenderer({ templates: loadTemplates(['prompts']), runDir: '/r' })
const turns = []
const config = baseConfig({ roles: { auditor: { agent: 'auditing' } } })
const { state } = play(config, (work, state) => {
  if (work.kind !== 'turn' || work.role !== 'auditor') return undefined
  turns.push({
    work,
    prompt: render({ state, work, diff: null, cwd: '/w' }),
    label: activity(work),
    line: workLine(work, state.lastAt, noPaint),
    writes: writes(work.purpose),
    schemaFile: schemaFile('/r', work.purpose),
  })
  return work.purpose === 'weigh-risks' ? verdict(80) : ok({ risks: [{ name: 'fire', odds: turns.length === 1 ? 7 : 0.5 }] })
})
console.log(JSON.stringify({
  status: state.status,
  turns,
  valid: await validateResult('list-risks', { risks: [{ name: 'fire', odds: 0.5 }] }),
  invalid: await validateResult('list-risks', { risks: [{ name: 'fire' }] }),
  foreign: await validateResult('list-risks', { score: 3 }),
  weighed: await validateResult('weigh-risks', { score: 3 }),
  schema: await resultJsonSchema('list-risks'),
  tools: (await createAsideTools('list-risks', '/o')).map(({ name }) => name),
  keys: keys.map(({ name }) => name).filter((name) => name.includes('auditor')),
}))
`

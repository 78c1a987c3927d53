/** The output of `looper pipeline dry-run`. */
import type { LoopStage } from '../../model/loop.ts'
import { completionText } from './completion-text.ts'
import { plural } from '../text/format.ts'
import type { LintFinding } from './lint.ts'
import type { Paint } from '../text/paint.ts'
import { plain, plainBlock } from '../text/plain-text.ts'

export interface DryRun {
  name: string
  description: string
  session: string
  stages: DryStage[]
  /** Warnings only: an error prevents the dry run. */
  findings: LintFinding[]
}

/** A stage with its prompt resolved, and with the configured agent and model; null: the default. */
export interface DryStage extends LoopStage {
  /** Variables in the prompt without a value. */
  unknown: string[]
}

export function dryRunText({ name, description, session, stages }: DryRun, paint: Paint): string {
  const head = [
    `${paint.strong(plain(name))}  ${plain(description, 200)}`.trimEnd(),
    `session ${plain(session)}, ${plural(stages.length, 'stage')}; nothing is run`,
  ]
  return `${[...head, ...stages.flatMap((stage, index) => ['', ...stageLines(stage, index, paint)])].join('\n')}\n`
}

function stageLines(stage: DryStage, index: number, paint: Paint): string[] {
  const { agent, model, perspectives, delaySeconds, checks, outputParse } = stage
  const named = stage.stage === stage.name ? '' : ` (${plain(stage.stage)})`
  const fact = (label: string, text: string): string => `   ${paint.faint(label.padEnd(12))} ${text}`
  const rule = (text: string): string => paint.faint(`----- ${text} `.padEnd(60, '-'))
  const modelText = model === null ? 'its default model' : `model ${plain(model)}`
  return [
    `${index + 1}. ${paint.strong(plain(stage.name))}${named}  ${plain(stage.description, 160)}`.trimEnd(),
    fact('runs', completionText(stage)),
    fact('agent', `${agent === null ? 'the installed one' : plain(agent)}, ${modelText}`),
    ...(perspectives.length > 0 ? [fact('perspectives', plain(perspectives.join('; '), 160))] : []),
    ...(outputParse.length > 0
      ? [fact('fields', plain(outputParse.map(({ field, label }) => `${field} from ${label}`).join(', '), 160))]
      : []),
    ...(delaySeconds > 0 ? [fact('delay', `${delaySeconds} s between iterations`)] : []),
    fact('checks', checks ? 'run on the changes of each iteration' : 'not run'),
    rule('first prompt'),
    plainBlock(stage.prompt),
    rule('end'),
  ]
}

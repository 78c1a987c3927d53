/** `looper pipeline dry-run`: shows what a pipeline would do, including the prompts. */
import { dryRunText } from '../../../views/pipelines/dry-run.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { CommandSpec } from '../command.ts'
import { warn } from '../warn.ts'
import { wholeNumber } from '../whole-number.ts'

export const command: CommandSpec<{ json?: boolean; goal?: string }> = {
  arguments: [
    ['<name>', 'a pipeline, a stage, or the path of a file'],
    ['[session]', 'name of the session (default: that of the pipeline)'],
    ['[runs]', 'iterations of each stage, instead of those defined'],
  ],
  options: [
    ['--goal <text>', 'the goal of the session'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper pipeline dry-run full-refine', 'both stages with their prompts'],
    ['looper pipeline dry-run work auth 25', 'one stage, as the session auth'],
    ['looper pipeline dry-run ./mine.yaml --json | jq -r ".stages[0].prompt"', ''],
  ],
  async run(context, [name = '', session = null, runs], { json, goal = '' }) {
    const { app, out, paint } = context
    const result = await app.dryRun({
      name,
      session,
      runs: runs === undefined ? null : wholeNumber('runs', runs),
      goal,
    })
    warn(
      context,
      result.findings.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    )
    out.write(json === true ? `${jsonText(result, 2)}\n` : dryRunText(result, paint))
    return 0
  },
}

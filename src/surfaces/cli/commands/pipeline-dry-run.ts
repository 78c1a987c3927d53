/** `looper pipeline dry-run`: shows what a pipeline would do, including the prompts. */
import { dryRunText } from '../../../views/dry-run.ts'
import { jsonText } from '../../../views/json-text.ts'
import { plain } from '../../../views/plain-text.ts'
import type { CommandSpec } from '../command.ts'
import { wholeNumber } from '../whole-number.ts'

export const command: CommandSpec<{ json?: boolean; goal?: string }> = {
  arguments: [
    ['<name>', 'a pipeline, a stage, or the path of a file'],
    ['[session]', 'name of the session (default: that of the pipeline)'],
    ['[runs]', 'iterations of each stage, instead of those defined'],
  ],
  options: [
    ['--goal <text>', 'the goal of the session'],
    ['--json', 'for programs'],
  ],
  examples: [
    ['looper pipeline dry-run full-refine', 'both stages with their prompts'],
    ['looper pipeline dry-run work auth 25', 'one stage, as the session auth'],
    ['looper pipeline dry-run ./mine.yaml --json | jq -r ".stages[0].prompt"', ''],
  ],
  async run({ app, out, err, paint }, [name = '', session = null, runs], { json, goal = '' }) {
    const told = await app.dryRun({ name, session, runs: runs === undefined ? null : wholeNumber('runs', runs), goal })
    for (const { file, line, message } of told.findings)
      err.write(`${paint.warn('!')} ${plain(`${file}:${line}: ${message}`, 300)}\n`)
    out.write(json === true ? `${jsonText(told, 2)}\n` : dryRunText(told, paint))
    return 0
  },
}

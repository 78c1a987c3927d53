/** `looper pipeline lint`: reports problems in stages and pipelines. */
import { lintText, type LintReport } from '../../../views/pipelines/lint.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { CommandSpec } from '../command.ts'
import type { CliContext } from '../context.ts'

export const command: CommandSpec<{ json?: boolean }> = {
  arguments: [['[name]', 'a pipeline, a stage, or the path of a file (default: everything there is)']],
  options: [['--json', 'print JSON']],
  examples: [
    ['looper pipeline lint', 'all stages and pipelines'],
    ['looper pipeline lint full-refine', ''],
    ['looper pipeline lint .looper/pipelines/mine.yaml --json | jq .findings', ''],
  ],
  async run(context, [name = null], { json }) {
    return showReport(context, await context.app.lint(null, name), json === true)
  },
}

/** Returns a failing exit code only for errors, not for warnings. */
export function showReport({ out, paint }: CliContext, report: LintReport, json: boolean): number {
  out.write(json ? `${jsonText(report, 2)}\n` : lintText(report, paint))
  return report.errors > 0 ? 2 : 0
}

/** `looper lint loop work`: alias of `looper pipeline lint` for users of loop-agents. */
import { LooperError } from '../../../api/error.ts'
import type { DefinitionKind } from '../../../api/pipelines.ts'
import type { CommandSpec } from '../command.ts'
import { showReport } from './pipeline-lint.ts'

export const kinds: Readonly<Record<string, DefinitionKind>> = { loop: 'stage', stage: 'stage', pipeline: 'pipeline' }

export const command: CommandSpec<{ json?: boolean }> = {
  arguments: [
    ['[kind]', 'loop, stage or pipeline (default: everything there is)'],
    ['[name]', 'which (default: all of that kind)'],
  ],
  options: [['--json', 'print JSON']],
  examples: [
    ['looper lint', 'all stages and pipelines'],
    ['looper lint loop work', ''],
    ['looper lint pipeline full-refine', ''],
  ],
  async run(context, [word, name = null], { json }) {
    const kind = word !== undefined && Object.hasOwn(kinds, word) ? kinds[word] : undefined
    if (word !== undefined && kind === undefined) {
      const hint = `Try \`looper pipeline lint ${word}\`.`
      throw new LooperError('USAGE_ARGUMENTS', `lint takes loop, stage or pipeline, not '${word}'`, { hint })
    }
    return showReport(context, await context.app.lint(kind ?? null, name), json === true)
  },
}

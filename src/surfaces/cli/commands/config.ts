/** `looper config`: shows the settings in effect, and the source of each. */
import { align } from '../../../views/text/columns.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { Paint } from '../../../views/text/paint.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { Settings } from '../../../api/settings.ts'
import type { CommandSpec } from '../command.ts'
import { configFlags } from '../config-flags.ts'
import { configOptions } from '../config-options.ts'
import { warn } from '../warn.ts'

interface Options extends Record<string, unknown> {
  json?: boolean
}

export const command: CommandSpec<Options> = {
  options: [['--json', 'print JSON']],
  settings: configOptions,
  examples: [
    ['looper config', ''],
    ['looper config get limits.costUsd', 'one value, for scripts'],
    ['looper config set parallel 2', 'writes it to .looper/config.json; --user to your own file'],
    ['looper config path', 'which files are read'],
    ['looper config --json | jq ".parallel.value"', ''],
    ['LOOPER_PARALLEL=2 looper config', 'the effect of a variable'],
  ],
  async run(context, _, options) {
    const { app, out, paint } = context
    const { settings, warnings } = await app.config(await configFlags(context, options))
    warn(context, warnings)
    out.write(options.json === true ? `${jsonText(settings, 2)}\n` : settingsText(settings, paint))
    return 0
  },
}

/** Groups are left out, because their members are listed. */
function settingsText(settings: Settings, paint: Paint): string {
  const names = Object.keys(settings)
  const leaves = Object.entries(settings).filter(([key]) => !names.some((name) => name.startsWith(`${key}.`)))
  const rows = leaves.map(([key, { value, source }]) => {
    const shown = plain(JSON.stringify(value) ?? '', 60)
    return [plain(key, 60), source === 'default' ? shown : paint.strong(shown), paint.faint(plain(source, 80))]
  })
  return align(rows)
    .map((line) => `${line}\n`)
    .join('')
}

/** `looper release`: shows the steps of a release, asks for confirmation, and performs it. */
import { LooperError } from '../../../api/error.ts'
import { align } from '../../../views/text/columns.ts'
import { duration } from '../../../views/text/format.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { Paint } from '../../../views/text/paint.ts'
import { plain, plainBlock } from '../../../views/text/plain-text.ts'
import type { PreparedRelease, ReleaseObserver, ReleaseResult, ReleaseView } from '../../../api/release.ts'
import type { CommandSpec } from '../command.ts'
import { confirm } from '../confirm.ts'
import type { CliContext } from '../context.ts'
import { warn } from '../warn.ts'

interface Options {
  yes?: boolean
  dryRun?: boolean
  abort?: boolean
  json?: boolean
  remote?: string
  push?: boolean
  release?: boolean
  changelog?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [['[version]', 'a version, or major, minor or patch (default: the version in the files, else patch)']],
  options: [
    ['-y, --yes', 'do not ask'],
    ['--dry-run', 'show what would happen and stop'],
    ['--abort', 'undo the local steps of a failed release'],
    ['--remote <name>', 'the remote to push to (default: the upstream of the branch)'],
    ['--no-push', 'commit and tag only'],
    ['--release', 'also make a release on GitHub, with gh'],
    ['--changelog', 'create CHANGELOG.md if there is none'],
    ['--json', 'print JSON: the plan with --dry-run, else the result'],
  ],
  examples: [
    ['looper release --dry-run', 'shows what would happen'],
    ['looper release minor', 'asks, then checks, commits, tags and pushes'],
    ['looper release', 'continues after a failure'],
    ['looper release --abort', 'undoes the local steps'],
    ['looper release 2.0.0 --release --yes', 'for CI'],
  ],
  async run(context, [version = null], options) {
    const { app, out, io } = context
    if (options.abort === true) {
      for (const line of await app.abortRelease()) out.write(`${plain(line, 300)}\n`)
      return 0
    }
    const { push = true, release = false, changelog = false, remote = null } = options
    const prepared = await app.prepareRelease({ version, remote, push, release, changelog }, io.now().slice(0, 10))
    return perform(context, prepared, options)
  },
}

async function perform(
  context: CliContext,
  prepared: PreparedRelease,
  { yes, dryRun, json }: Options,
): Promise<number> {
  const { out, err, paint } = context
  const { view } = prepared
  warn(context, view.warnings)
  if (json !== true) out.write(viewText(view, paint))
  else if (dryRun === true) out.write(`${jsonText(view, 2)}\n`)
  if (dryRun === true) return 0
  if (yes !== true && !(await confirm(context, `Release ${plain(view.tag)}?`))) {
    err.write('Nothing was released.\n')
    return 1
  }
  const result = await watched(context, (observer, signal) => prepared.run(observer, signal))
  if (result === null) return 130
  out.write(
    json === true
      ? `${jsonText(result, 2)}\n`
      : `Released ${plain(result.tag)}${result.pushed ? '' : ', not pushed'}.\n`,
  )
  return 0
}

/** Null when it was interrupted. */
async function watched({ io, err, paint }: CliContext, run: PreparedRelease['run']): Promise<ReleaseResult | null> {
  const stop = new AbortController()
  const offs = (['SIGINT', 'SIGTERM'] as const).map((name) => io.onSignal(name, () => stop.abort()))
  const observer: ReleaseObserver = {
    onStep: (step, done) => err.write(done ? `${paint.good('✓')} ${step}\n` : `${paint.faint('…')} ${step}\n`),
    onCheck({ name, ok, durationMs }) {
      const mark = ok ? paint.good('✓') : paint.bad('✗')
      err.write(`  ${mark} ${plain(name, 80)} ${paint.faint(duration(durationMs))}\n`)
    },
  }
  try {
    return await run(observer, stop.signal)
  } catch (error) {
    if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_RELEASE') throw error
    if (typeof error.details['output'] === 'string') err.write(`${plainBlock(error.details['output'])}\n`)
    if (error.details['interrupted'] !== true) throw error
    err.write(`${plain(error.message)} ${plain(error.hint)}\n`)
    return null
  } finally {
    for (const off of offs) off()
  }
}

function viewText({ tag, before, branch, resumed, steps, notes }: ReleaseView, paint: Paint): string {
  const after = before === null ? '' : `, after ${plain(before)}`
  const title = `${resumed ? 'Continuing the release of' : 'Release'} ${plain(tag)} from ${plain(branch)}${after}`
  const rows = steps.map(({ step, what, done }) => {
    const text = plain(what, 100)
    return [`  ${done ? paint.good('✓') : paint.faint('·')} ${step}`, done ? paint.faint(text) : text]
  })
  const lines = plainBlock(notes).split('\n')
  const rest = lines.length > 20 ? [`… ${lines.length - 20} more lines`] : []
  const shown = [...lines.slice(0, 20), ...rest].map((line) => paint.faint(`    ${line}`))
  return `${paint.strong(title)}\n${align(rows).join('\n')}\n\n${shown.join('\n')}\n\n`
}

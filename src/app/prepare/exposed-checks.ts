/** Finds hidden checks that agents can read, because they are committed or the run works in place. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { parseJson } from '../../config/file.ts'
import { hiddenChecksPath } from '../../config/hidden-checks.ts'
import type { LoadedConfig } from '../../config/layers.ts'
import { projectFile } from '../../config/config-files.ts'
import type { CheckConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { isObject } from '../../model/object.ts'
import { plain } from '../../views/text/plain-text.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import { committedText } from '../../workspace/git/tracked.ts'
import { shellWord } from '../../model/shell-word.ts'

export interface Exposure {
  /** One line: which checks are where. */
  detail: string
  hint: string
  /** False when the run works in place: the user chose that mode, so it is only a warning. */
  isRefused: boolean
}

/** For a run that would start at HEAD. */
export async function exposedChecks(
  { config, hiddenChecks, sources }: LoadedConfig,
  root: string,
): Promise<Exposure[]> {
  const isProject = (sources['checks']?.source ?? '').startsWith('project')
  const inConfig = (config.checks ?? []).filter(({ hidden }) => hidden === true)
  const inProject = isProject ? inConfig : []
  const hidden = [...inConfig, ...hiddenChecks]
  if (hidden.length === 0) return []
  const { where } = projectFile(root)
  if (config.workspace.mode === 'in-place') {
    if (inProject.length + hiddenChecks.length === 0) return []
    const file = inProject.length > 0 ? where : hiddenChecksPath
    return [
      {
        detail: `in place, agents can read the hidden checks in ${file}`,
        hint: 'Use workspaces (the default), which do not hold them.',
        isRefused: false,
      },
    ]
  }
  const move = (path: string): string =>
    `Move it to ${hiddenChecksPath}, which git ignores, and commit ${path} without it.`
  const untrack = (path: string): string => `Run: git rm --cached ${shellWord(path)} && git commit`
  return [
    ...(await exposuresIn(root, where, { own: inProject, hidden, remedy: move })),
    ...(await exposuresIn(root, hiddenChecksPath, { own: hiddenChecks, hidden, remedy: untrack })),
  ]
}

interface Search {
  /** Checks that the file contains in the working tree. */
  own: readonly CheckConfig[]
  /** All hidden checks: HEAD may contain one that the working tree keeps elsewhere. */
  hidden: readonly CheckConfig[]
  remedy: (path: string) => string
}

async function exposuresIn(root: string, file: string, { own, hidden, remedy }: Search): Promise<Exposure[]> {
  const exposures: Exposure[] = []
  for (const path of await pathsOf(root, file)) {
    const text = await committedText(root, path)
    if (text === null) continue
    const commands = commandsIn(text)
    const held = hidden.filter((check) => own.includes(check) || commands.includes(check.run))
    exposures.push(...exposure(held, plain(path), remedy(plain(path))))
  }
  return exposures
}

/** The path itself and, when it is a link into the repository, the path of its target. */
async function pathsOf(root: string, path: string): Promise<string[]> {
  const target = await realpath(join(root, path)).catch(() => null)
  if (target === null) return [path]
  const real = relative(await realpath(root), target)
  return real === path || real.startsWith('..') || isAbsolute(real) ? [path] : [path, real]
}

/**
 * Throws CONFIG_INVALID: no workspace may contain a hidden check. Writes `.looper/.gitignore` before, so that git
 * ignores the file that the hint names.
 */
export async function refuseExposed(root: string, exposures: readonly Exposure[]): Promise<void> {
  const first = exposures.find(({ isRefused }) => isRefused)
  if (!first) return
  await ensureLooperFolder(root)
  throw new LooperError('CONFIG_INVALID', `${first.detail}.`, { hint: first.hint })
}

function exposure(checks: readonly CheckConfig[], where: string, hint: string): Exposure[] {
  if (checks.length === 0) return []
  const named = checks.map(({ name }) => JSON.stringify(name)).join(', ')
  const subject =
    checks.length === 1 ? `the check ${named} is hidden, but it is` : `the checks ${named} are hidden, but they are`
  return [{ detail: `${subject} in ${where}, which is committed: every workspace holds it`, hint, isRefused: true }]
}

/** The commands of the checks in a configuration or a list of checks; none when it cannot be read. */
function commandsIn(text: string): unknown[] {
  try {
    const value = parseJson(text, { where: 'HEAD' })
    const checks = isObject(value) ? value['checks'] : value
    return (Array.isArray(checks) ? checks : []).map((check: unknown) => (isObject(check) ? check['run'] : check))
  } catch {
    return []
  }
}

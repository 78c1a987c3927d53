/** Compares the recorded answer of a turn with the files of the turn. */
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { maskDeep, type Mask } from '../agents/mask.ts'
import { validateResult } from '../agents/result.ts'
import type { TurnClaim } from '../core/claims/turn-claims.ts'
import type { Purpose } from '../model/purposes.ts'
import { jsonText } from '../views/text/json-text.ts'
import { rereadOutcome } from './finish-turn.ts'
import { openOutput } from './output.ts'
import { describeTurn, type Turn, type TurnSetting } from './turn.ts'
import { folderName, readEnd, turnFolder, type TurnFolder } from './turn-folder.ts'

/** One line that names the turn and the file; null when the folder agrees with the answer. Changes nothing. */
export async function contradiction(setting: TurnSetting, claim: TurnClaim): Promise<string | null> {
  const {
    work: { id },
    starts,
  } = claim
  const folder = turnFolder(setting.runDir, id, starts)
  const contradicted = (file: string, what: string): string =>
    `${id} is recorded as answered, but ${shown(claim, file)} ${what}`
  if (!isThere(folder.path, 'folder')) return contradicted('', 'is missing')
  const absent = [folder.prompt, folder.stream].find((file) => !isThere(file, 'file'))
  if (absent !== undefined) return contradicted(absent, 'is missing')
  if (claim.landed) return null
  const said = isThere(folder.result, 'file') ? folder.result : folder.stream
  const turn = describeTurn(setting, claim.work, starts)
  // Without its configuration, the output of an agent cannot be parsed.
  if (turn === null) return null
  const found = await reread(turn, folder)
  if (found === undefined) return contradicted(said, 'holds no answer')
  const text = (result: unknown): Promise<string> => textOf(claim.work.purpose, result, setting.mask)
  const isSame = (await text(found)) === (await text(claim.result))
  return isSame ? null : contradicted(said, 'says something else')
}

/** An unreachable path counts as missing, because an agent may have removed the permissions on the folder. */
function isThere(path: string, what: 'file' | 'folder'): boolean {
  try {
    const found = lstatSync(path)
    return what === 'file' ? found.isFile() : found.isDirectory()
  } catch {
    return false
  }
}

const shown = ({ work: { id }, starts }: TurnClaim, file: string): string =>
  join('turns', folderName(id, starts), file === '' ? '' : basename(file)).replace(/\/$/, '')

/** Undefined when the files contain no valid answer or cannot be read. */
async function reread(turn: Turn, folder: TurnFolder): Promise<unknown> {
  try {
    const output = openOutput(turn, turn.setting.limits)
    try {
      const ended = { code: null, signal: null, why: readEnd(folder) ?? 'exited' } as const
      const outcome = await rereadOutcome(turn, output, ended, 0)
      return outcome.status === 'ok' ? outcome.result : undefined
    } finally {
      output.close()
    }
  } catch {
    return undefined
  }
}

/** Normalized by this version's schema and today's secrets, because both may have changed since the recording. */
async function textOf(purpose: Purpose, result: unknown, mask: Mask): Promise<string> {
  const read = await validateResult(purpose, result)
  return jsonText(maskDeep(read.ok ? read.result : result, mask))
}

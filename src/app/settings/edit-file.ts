/** Opens a file in the user's editor. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { LooperError } from '../../model/error.ts'
import type { Machine } from '../context.ts'

/** The editor may have options, as in `code --wait`, so a shell splits the words. Throws ENVIRONMENT_NO_EDITOR. */
export async function editFile({ env }: Pick<Machine, 'env'>, path: string): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi'
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code === 0) return
  throw new LooperError(
    'ENVIRONMENT_NO_EDITOR',
    `The editor ${JSON.stringify(editor)} failed (exit ${code ?? 'by a signal'}).`,
    { hint: `Set EDITOR to your editor, or edit ${path} yourself, then try again.` },
  )
}

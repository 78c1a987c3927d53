/** The difference of two texts as a patch. Uses git, which is always installed and handles large files well. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { ioError } from '../../platform/files.ts'
import { runProcess } from '../../platform/run-process.ts'
import { cleanEnvironment } from '../../workspace/git/git.ts'

const options = ['--no-index', '--no-color', '--no-ext-diff', '--no-textconv', '--unified=3']

/** Empty when the texts are equal. */
export async function unifiedDiff(name: string, before: string, after: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'looper-diff-')).catch((error: unknown) => {
    throw ioError(error, tmpdir())
  })
  try {
    await writeFile(join(folder, 'before'), before)
    await writeFile(join(folder, 'after'), after)
    const { exitCode, stdout, stderr } = await runProcess({
      argv: ['git', 'diff', ...options, '--', 'before', 'after'],
      cwd: folder,
      env: cleanEnvironment(),
      keepBytes: 4 * (before.length + after.length) + 2 ** 20,
    })
    if (exitCode !== 0 && exitCode !== 1) throw new LooperError('WORKSPACE_GIT', `git diff: ${stderr.trim()}`)
    return stdout === '' ? '' : `--- ${name}\n+++ ${name} (formatted)\n${stdout.slice(stdout.indexOf('@@'))}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

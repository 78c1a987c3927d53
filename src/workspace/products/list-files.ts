/** Lists all files below folders. `find` needs as long as Node, but leaves this thread free. */
import { runProcess } from '../../platform/run-process.ts'
import { isPlainList, lineFormat, type FileList } from '../setup/file-list.ts'
import { walk } from '../setup/setup-manifest.ts'

const mostBytes = 512 * 1024 * 1024
/** Fewer than the operating system accepts on one command line. */
const atOnce = 200

/** `roots` are folders below `path`. Links are not followed. */
export async function listFiles(path: string, roots: readonly string[], mark: string): Promise<FileList> {
  return { roots, text: (await listWithFind(path, roots, mark)) ?? (await listWithNode(path, roots)) }
}

async function listWithNode(path: string, roots: readonly string[]): Promise<string> {
  const found: Record<string, string> = {}
  for await (const [name, identity] of walk(path, roots)) found[name] = identity
  return Buffer.from(JSON.stringify(found)).toString('latin1')
}

/** Null where `find` has no such option, or a file is neither file, link nor folder. */
export async function listWithFind(path: string, roots: readonly string[], mark: string): Promise<string | null> {
  if (process.platform !== 'linux') return null
  let text = ''
  for (let at = 0; at < roots.length; at += atOnce) {
    const names = roots.slice(at, at + atOnce).map((root) => `./${root}`)
    const argv: [string, ...string[]] = ['find', ...names, '-printf', lineFormat]
    const found = await runProcess({ argv, cwd: path, mark, keepBytes: mostBytes, encoding: 'latin1' })
    if (found.exitCode !== 0 || found.stdout.length >= mostBytes || !isPlainList(found.stdout)) return null
    text += found.stdout
  }
  return text
}

/** Lists all files below folders with their identities. `find` needs as long as Node, but leaves this thread free. */
import { constants } from 'node:fs'
import { runProcess } from '../../platform/run-process.ts'
import { identityFrom, walk } from '../setup/setup-manifest.ts'

/** Identities by path. */
export type FileList = Record<string, string>

const mostBytes = 512 * 1024 * 1024
const format = String.raw`%y %m %s %n %i %T@ %C@ %P\0`

/** `roots` are folders below `path`. Links are not followed. */
export async function listFiles(path: string, roots: readonly string[], mark: string): Promise<FileList> {
  const list: FileList = {}
  for (const root of roots) {
    const found = (await listWithFind(path, root, mark)) ?? (await listWithNode(path, root))
    for (const [name, identity] of found) list[name] = identity
  }
  return list
}

async function listWithNode(path: string, root: string): Promise<[string, string][]> {
  const found: [string, string][] = []
  for await (const each of walk(path, [root])) found.push(each)
  return found
}

/** Null where `find` has no such option, or a file is neither file, link nor folder. */
async function listWithFind(path: string, root: string, mark: string): Promise<[string, string][] | null> {
  if (process.platform !== 'linux') return null
  const argv: [string, ...string[]] = ['find', `${path}/${root}`, '-printf', format]
  const { exitCode, stdout } = await runProcess({ argv, cwd: '/', mark, keepBytes: mostBytes })
  if (exitCode !== 0 || !stdout.endsWith('\0') || stdout.length >= mostBytes) return null
  const found: [string, string][] = []
  for (const line of stdout.slice(0, -1).split('\0')) {
    const [type = '', mode = '', size = '', links = '', ino = '', mtime = '', ctime = '', ...name] = line.split(' ')
    const kind = kinds[type]
    if (kind === undefined) return null
    const inside = name.join(' ')
    const stat = {
      isFolder: type === 'd',
      ino: Number(ino),
      size: Number(size),
      mode: kind | Number.parseInt(mode, 8),
      nlink: Number(links),
      mtimeMs: milliseconds(mtime),
      ctimeMs: milliseconds(ctime),
    }
    found.push([inside === '' ? root : `${root}/${inside}`, identityFrom(stat)])
  }
  return found
}

const kinds: Record<string, number> = { f: constants.S_IFREG, d: constants.S_IFDIR, l: constants.S_IFLNK }

/** The same number as that of Node, from seconds and nanoseconds. */
function milliseconds(text: string): number {
  const [seconds, fraction = ''] = text.split('.')
  return Number(seconds) * 1000 + Number(fraction.slice(0, 9)) / 1e6
}

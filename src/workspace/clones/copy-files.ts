/** Copies files that git does not track (`.env`, local certificates) from the user's checkout into a work tree. */
import { constants } from 'node:fs'
import { cp, lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, normalize, relative, sep, isAbsolute } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { ioError, whenExists } from '../../platform/files.ts'
import { plain } from '../../views/text/plain-text.ts'

/** Returns the copied paths, with `folder/` for folders. Paths that the checkout does not have are skipped. */
export async function copyFiles(from: string, to: string, paths: readonly string[]): Promise<string[]> {
  const brought: string[] = []
  for (const path of paths) {
    const kind = await copyOne(from, to, insidePath(path))
    if (kind !== null) brought.push(kind === 'folder' ? `${insidePath(path)}/` : insidePath(path))
  }
  return brought
}

async function copyOne(from: string, to: string, path: string): Promise<'file' | 'folder' | null> {
  const source = join(from, path)
  const found = await whenExists(lstat(source), source)
  if (!found) return null
  await refuseEscape(source, from, path)
  const target = join(to, path)
  try {
    await mkdir(dirname(target), { recursive: true })
    await refuseEscape(dirname(target), to, path)
    // Links are followed: a copied link could lead an agent back into the user's checkout.
    await cp(await realpath(source), target, {
      recursive: true,
      force: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: isNews,
    })
  } catch (error) {
    throw ioError(error, target)
  }
  return (await stat(source)).isDirectory() ? 'folder' : 'file'
}

/** Folders such as `node_modules` are large, so unchanged files are not copied again. */
async function isNews(source: string, target: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([lstat(source), whenExists(lstat(target), target)])
  return !(
    theirs.isFile()
    && ours?.isFile()
    && theirs.size === ours.size
    && Math.abs(theirs.mtimeMs - ours.mtimeMs) < 1
  )
}

function insidePath(path: string): string {
  const clean = normalize(path).replace(/[/\\]+$/, '')
  const first = clean.split(sep)[0] ?? ''
  if (path === '' || isAbsolute(path) || ['', '.', '..', '.git', '.looper'].includes(first.toLowerCase()))
    throw refused(path)
  return clean
}

async function refuseEscape(path: string, root: string, named: string): Promise<void> {
  const real = await realpath(path).catch(() => path)
  const inside = relative(await realpath(root), real)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw refused(named)
  if (
    await stat(path).then(
      () => false,
      () => true,
    )
  )
    throw refused(named)
}

const refused = (path: string): LooperError =>
  new LooperError('CONFIG_INVALID', `workspace.copy: "${plain(path)}" does not lead to a file inside the repository.`, {
    hint: 'Name files or folders of the checkout, relative to its root, outside .git and .looper.',
  })

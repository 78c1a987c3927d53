/**
 * Resolves the script that npm puts on the PATH to the program it starts: killing only the script leaves the program
 * running.
 */
import { access, constants, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface Platform {
  platform: string
  arch: string
}

/** Returns the path itself when it is not such a script, or when no program is found beside it. */
export const createNative =
  (machine: Platform) =>
  async (path: string): Promise<string> => {
    const script = await realpath(path).catch(() => path)
    if (basename(script) !== 'codex.js') return path
    const root = dirname(dirname(script))
    for (const vendor of vendorFolders(root, machine)) {
      for (const triple of (await list(vendor)).filter((name) => matches(name, machine))) {
        for (const folder of ['bin', 'codex']) {
          const program = join(vendor, triple, folder, 'codex')
          if (await isExecutable(program)) return program
        }
      }
    }
    return path
  }

/**
 * The program is in a package for the platform, inside or beside the script's package; older versions have it in the
 * script's package.
 */
function vendorFolders(root: string, { platform, arch }: Platform): string[] {
  const name = `codex-${platform}-${arch}`
  return [join(root, 'node_modules', '@openai', name), join(dirname(root), name), root].map((folder) =>
    join(folder, 'vendor'),
  )
}

const archs: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }
const systems: Readonly<Record<string, string>> = { linux: '-linux-', darwin: '-apple-darwin' }

const matches = (triple: string, { platform, arch }: Platform): boolean =>
  triple.startsWith(`${archs[arch] ?? arch}-`) && triple.includes(systems[platform] ?? platform)

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/**
 * The key of stored products. Equal keys mean that the stored commands would create the same files: the same commands,
 * package files, copied files and submodules, programs, settings and variables of package managers.
 */
import { createHash } from 'node:crypto'
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { readNow } from '../../platform/files.ts'
import { equipmentKey, type KeyedSetup, type SetupInputs } from '../setup/equipment-key.ts'
import { setupReadsSources } from '../setup/setup-sources.ts'
import { splitSetup } from './stored-lines.ts'

export interface ProductsSetup extends KeyedSetup {
  /** The environment of set-up. */
  env?: NodeJS.ProcessEnv
  /** Variables that the configuration sets for set-up. */
  own?: readonly string[]
}

export interface ProductsQuestion {
  /** The workspace, with a clean tree. */
  path: string
  setup: ProductsSetup
  inputs: SetupInputs
  /** The workspace is at the commit that the run starts from. */
  isBase: boolean
}

/**
 * Null when the products are not stored. Commands that read the sources of the tree have other products for each tree,
 * so only those of the base are stored: several workspaces start from it, and so may the next run. Without a lock file,
 * products are made again the next `day`, because newer versions may exist.
 */
export function storedKey(
  { path, setup, inputs, isBase }: ProductsQuestion,
  day = new Date().toISOString().slice(0, 10),
): string | null {
  const { stored } = splitSetup(setup.setup)
  if (stored.length === 0) return null
  if (!isBase && setupReadsSources(path, inputs.files, stored)) return null
  const env = setup.env ?? process.env
  const all = [
    equipmentKey(path, { ...setup, setup: stored }, inputs),
    [process.platform, process.arch, process.version],
    ['node', ...new Set(stored.flatMap((line) => line.match(programs) ?? []))].map((name) => programFacts(name, env)),
    Object.entries(env).filter(([name]) => setup.own?.includes(name) || isSetting.test(name)),
    settingFiles.map((name) => textOf(join(env['HOME'] || homedir(), name))),
    [...inputs.files.keys()].some((name) => isLockFile.test(name)) ? null : day,
  ]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

const programs = /\b(?:npm|pnpm|yarn|bun|mix|composer)\b/g
const isSetting = /^(?:NODE_ENV|NODE_OPTIONS|(?:npm|pnpm|yarn|bun|corepack|composer|mix|hex)_\w+)$/i
const settingFiles = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.config/pnpm/rc', '.composer/config.json']
const isLockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|.*\.lock)$/

/**
 * The program file that the name means. It is not started: a folder of PATH could belong to a workspace, where agents
 * write.
 */
function programFacts(name: string, env: NodeJS.ProcessEnv): unknown[] {
  for (const folder of (env['PATH'] ?? '').split(':').filter((each) => isAbsolute(each))) {
    try {
      const real = realpathSync(join(folder, name))
      const { size, mtimeMs } = statSync(real)
      return [real, size, mtimeMs]
    } catch {
      // Not in this folder.
    }
  }
  return []
}

function textOf(file: string): string | null {
  try {
    return readNow(file)?.toString('latin1') ?? null
  } catch {
    return null
  }
}

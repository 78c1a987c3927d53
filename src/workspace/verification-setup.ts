/**
 * Equips a verification workspace with what it needs beside its tree: submodules, copied files and the products of
 * set-up.
 */
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../model/config.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { LooperError } from '../model/error.ts'
import { readNow } from '../platform/files.ts'
import { inTheWay } from '../platform/real-folder.ts'
import { copyFiles } from './copy-files.ts'
import type { Place } from './place.ts'
import { runSetup } from './provision.ts'
import type { Manifest } from './manifest.ts'
import { packageFiles, type PackageFiles } from './package-files.ts'
import { setupReadsSources } from './setup-sources.ts'
import { setupInputsKey } from './setup.ts'

export interface Equipment {
  /** The user's checkout. */
  root: string
  /** Checks out the submodules of the workspace at the commits in its index. */
  populate: (place: Place, mark: string) => Promise<unknown>
  copy: Config['workspace']['copy']
  /** Shell commands that the user configured. */
  setup: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Variables of the user that set-up does not get. The error names one when set-up fails because of it. */
  withheld?: readonly string[]
  /** Variables that the configuration sets for set-up. */
  own?: readonly string[]
  /** Removes secrets from the output of a failing command. */
  mask?: (text: string) => string
  signal?: AbortSignal
  /** Set-up runs confined if there is a sandbox. */
  sandbox?: Sandbox | null
}

export interface Equipped {
  tree: string
  manifest: Manifest
  /** Commits of submodules by path. */
  links: ReadonlyMap<string, string>
}

/** Equal keys mean that the same files would be created. */
export function equipmentKey(path: string, equipment: Equipment, { tree, manifest, links }: Equipped): string {
  const { root, copy, setup } = equipment
  const sources = copy.map((name) => {
    const found = lstatSync(join(root, name), { throwIfNoEntry: false })
    return found ? [name, found.mode, found.size, found.mtimeMs, found.ino] : [name]
  })
  const modules = links.size > 0 ? readNow(join(path, '.gitmodules'))?.toString('latin1') : null
  const files: PackageFiles = setup.length > 0 ? packageFiles(path, manifest) : new Map()
  const sourcesOf = setup.length > 0 && setupReadsSources(path, files, setup) ? tree : null
  const all = [setupInputsKey(path, files, setup), sources, modules, [...links], sourcesOf]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** The workspace must contain its tree and a complete `.git` with its index. */
export async function equip(place: Place, equipment: Equipment, mark: string): Promise<void> {
  await equipment.populate(place, mark)
  await copyFiles(equipment.root, place.path, equipment.copy).catch((error: unknown) => {
    throw blocked(error, place, equipment)
  })
  for (const line of equipment.setup) await runSetup(line, place.path, equipment, mark)
}

/** If the tree has a file or link where a folder is needed, the tree is at fault and not the configuration. */
function blocked(error: unknown, { path }: Place, { copy }: Equipment): unknown {
  const inWay = copy.map((name) => inTheWay(path, name)).find((found) => found !== null)
  if (inWay === undefined || !(error instanceof LooperError) || error.code === 'ENVIRONMENT_DISK_FULL') return error
  const message = `${inWay} in this tree keeps workspace.copy from working: ${error.message}`
  return new LooperError('WORKSPACE_CONTENT', message, { cause: error })
}

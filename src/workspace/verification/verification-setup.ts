/**
 * Equips a verification workspace with what it needs beside its tree: submodules, copied files and the products of
 * set-up.
 */
import type { Config } from '../../model/config.ts'
import type { Sandbox } from '../../platform/sandbox/sandbox.ts'
import { LooperError } from '../../model/error.ts'
import { inTheWay } from '../../platform/real-folder.ts'
import { copyFiles } from '../clones/copy-files.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { runSetup, type OnSetup } from '../setup/provision.ts'
import type { Manifest } from '../clones/manifest.ts'
import type { ProductStore } from '../products/product-store.ts'
import { storedKey } from '../products/products-key.ts'
import { splitSetup } from '../products/stored-lines.ts'
import type { SetupInputs } from '../setup/equipment-key.ts'
import { packageFiles, treeFiles } from '../setup/package-files.ts'

/** The store of products, and the commit that the run starts from. */
export interface StoredProducts {
  store: ProductStore
  base: string
}

export interface Equipment {
  /** The user's checkout. */
  root: string
  /** Checks out the submodules of the workspace at the commits in its index. */
  populate: (workTree: WorkTree, mark: string) => Promise<unknown>
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
  /** Absent: set-up runs in each workspace. */
  products?: StoredProducts
  /** Called when a command of set-up ended well. */
  onSetup?: OnSetup
}

export interface Equipped {
  tree: string
  manifest: Manifest
  /** Commits of submodules by path. */
  links: ReadonlyMap<string, string>
}

/** What of the tree in this workspace determines its set-up. */
export const inputsOf = (path: string, setup: readonly string[], { tree, manifest, links }: Equipped): SetupInputs => ({
  tree,
  links,
  files: setup.length > 0 ? packageFiles(path, treeFiles(manifest)) : new Map(),
})

/**
 * The workspace must contain its tree and a complete `.git` with its index. `inputs` are those of the tree, `commit` is
 * the one that it belongs to. Returns everything in the workspace, or null when it was not listed.
 */
export async function equip(
  workTree: WorkTree,
  equipment: Equipment,
  { inputs, commit }: { inputs: SetupInputs; commit: string },
  mark: string,
): Promise<Manifest | null> {
  const { path } = workTree
  const { products, setup } = equipment
  await equipment.populate(workTree, mark)
  await copyFiles(equipment.root, path, equipment.copy).catch((error: unknown) => {
    throw blocked(error, workTree, equipment)
  })
  const run = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) await runSetup(line, path, equipment, mark)
  }
  const key = products && storedKey({ path, setup: equipment, inputs, isBase: commit === products.base })
  if (!products || !key) {
    await run(setup)
    return null
  }
  const { stored, rest } = splitSetup(setup)
  const found = await products.store.bring({ key, path, mark }, () => run(stored))
  await run(rest)
  return rest.length > 0 ? null : found
}

/** If the tree has a file or link where a folder is needed, the tree is at fault and not the configuration. */
function blocked(error: unknown, { path }: WorkTree, { copy }: Equipment): unknown {
  const inWay = copy.map((name) => inTheWay(path, name)).find((found) => found !== null)
  if (inWay === undefined || !(error instanceof LooperError) || error.code === 'ENVIRONMENT_DISK_FULL') return error
  const message = `${inWay} in this tree keeps workspace.copy from working: ${error.message}`
  return new LooperError('WORKSPACE_CONTENT', message, { cause: error })
}

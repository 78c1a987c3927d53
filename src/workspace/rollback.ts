/** Takes the run branch back to one of its own commits. What it leaves stays reachable, and a crash in between changes nothing. */
import { LooperError } from '../model/error.ts'
import type { RollbackOutcome, RollbackWork } from '../model/work.ts'
import { plain } from '../views/plain-text.ts'
import type { Landings } from './commit.ts'
import { tryGit } from './git.ts'
import { freeAside, listRefs, runRefFolder, type RunRefs } from './run-refs.ts'

export interface RollbackOptions {
  root: string
  run: string
  /** The commit the run starts from. */
  base: string
  refs: RunRefs
  landings: Landings
}

export async function rollBack({ from, to }: RollbackWork, options: RollbackOptions, mark: string): Promise<RollbackOutcome> {
  const { root, run, refs, landings } = options
  const aside = `${runRefFolder(run)}/set-aside`
  const listed = await listRefs([aside], { cwd: root, mark })
  const keeping = [...listed].find(([, { commit }]) => commit === from)?.[0] ?? null
  if ((await refs.tip(mark)).commit === to) {
    landings.forget()
    return { kind: 'rollback', status: 'done', kept: from === to ? null : keeping }
  }
  await refuseElsewhere(from, to, options, mark)
  if ((await refs.movableTip(mark)).commit !== from) return { kind: 'rollback', status: 'moved', kept: null }
  const ref = keeping ?? freeAside(run, listed)
  const moved = await refs.move({ branch: { from, to }, ...(keeping === null ? { kept: [{ ref, commit: from }] } : {}) }, mark)
  if (moved) landings.forget()
  return moved ? { kind: 'rollback', status: 'done', kept: ref } : { kind: 'rollback', status: 'moved', kept: null }
}

/** Only a commit that was on the run branch: from where the run began up to where it is. */
async function refuseElsewhere(from: string, to: string, { root, base }: RollbackOptions, mark: string): Promise<void> {
  const follows = async (older: string, newer: string): Promise<boolean> =>
    (await tryGit(['merge-base', '--is-ancestor', older, newer], { cwd: root, mark })).exitCode === 0
  if ((await follows(base, to)) && (await follows(to, from))) return
  throw new LooperError('WORKSPACE_GIT', `${plain(to)} is no commit of this run: its branch cannot go back there.`)
}

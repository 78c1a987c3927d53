/** `looper doctor --checks`: runs set-up and every check on HEAD, where a run would run them before its first task. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCheck } from '../../checks/run-check.ts'
import { remedyText, setupRemedies } from '../../core/policies/setup-remedies.ts'
import { loadConfig, type LoadedConfig } from '../../config/layers.ts'
import { checkTimeoutMinutes, type CheckConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { verificationWorkspace, type CheckOutcome, type CheckWork } from '../../model/work.ts'
import { endRun } from '../../platform/end-run.ts'
import { markOf, runKey } from '../../platform/mark.ts'
import { removePrivateFolders } from '../../platform/private-folders.ts'
import type { CheckBaseOptions } from '../../api/upkeep.ts'
import { duration } from '../../views/text/format.ts'
import { removeTree } from '../../workspace/clones/remove-tree.ts'
import { findRepository, type Repository } from '../../workspace/git/repository.ts'
import { chooseWorkspacesFolder, makeWorkspacesBase, verificationFolder } from '../../workspace/workspaces-folder.ts'
import { createWorktrees } from '../../workspace/worktrees.ts'
import { maskOf } from '../launch/run-mask.ts'
import { admissionsOf, checksInForce, seenBy, seenByCheck } from '../prepare/check-settings.ts'
import type { AppContext } from '../context.ts'
import { discoverIn } from '../prepare/discover.ts'
import { setupFor } from '../prepare/ready.ts'
import { chooseSandbox, openSandbox } from '../prepare/sandbox.ts'
import { outcomeRow } from './check-row.ts'
import { checkRow } from './doctor-checks.ts'

export async function checkBase(context: AppContext, options: CheckBaseOptions): Promise<void> {
  const repository = await findRepository(context.cwd)
  const loaded = loadConfig({ root: repository.root, env: context.env, home: context.home })
  const discover = discoverIn(repository.root, context.env)
  const { list } = await checksInForce(loaded, discover)
  if (list.length === 0) return options.onRow(checkRow(list, loaded.config.checks === null))
  const runDir = await mkdtemp(join(tmpdir(), 'looper-doctor-'))
  const workspace = openBaseWorkspace(
    context,
    repository,
    loaded,
    { runDir, list, setup: await setupFor(loaded.config, discover) },
    options,
  )
  try {
    for (const [nth, check] of list.entries()) {
      if (options.signal.aborted) return
      const outcome = await workspace.run(check, nth + 1)
      if (outcome === null) return
      if (!options.signal.aborted) options.onRow(outcomeRow(check, outcome))
    }
  } finally {
    await workspace.remove()
    await endRun(runKey(runDir))
    await removePrivateFolders(runKey(runDir))
    await removeTree(runDir)
  }
}

interface BaseWorkspace {
  /** Null when set-up failed, which its row says. */
  run(check: CheckConfig, nth: number): Promise<CheckOutcome | null>
  remove(): Promise<void>
}

/** In place, checks run in the checkout, which the user has set up. */
function openBaseWorkspace(
  context: AppContext,
  repository: Repository,
  loaded: LoadedConfig,
  { runDir, list, setup }: { runDir: string; list: readonly CheckConfig[]; setup: readonly string[] },
  { signal, onStart, onRow }: CheckBaseOptions,
): BaseWorkspace {
  const { root, head } = repository
  const { config } = loaded
  const mask = maskOf(context.env, loaded)
  const sandbox = openSandbox(context, {
    root,
    runDir,
    config: { ...config, sandbox: chooseSandbox(config.sandbox, context) },
    allow: config.sandboxAllow ?? [],
  })
  const admissions = admissionsOf(list, config)
  const mark = (id: string): string => markOf(runKey(runDir), id, 1)
  const perform = (work: CheckWork, cwd: string): Promise<CheckOutcome> => {
    onStart(mask('shell' in work.run ? work.run.shell : work.name))
    const seen = seenByCheck(context.env, admissions, work)
    return runCheck({ work, cwd, mark: mark(work.id), mask, sandbox, ...seen }, signal)
  }
  if (config.workspace.mode === 'in-place')
    return { run: (check, nth) => perform(workOf(check, nth, head), root), remove: async () => {} }

  // The form of a run's id makes its processes and its folder known as Looper's.
  const run = `000-doctor-${process.pid}`
  const { folder: configured } = config.workspace
  makeWorkspacesBase(configured, context.env)
  const folder = chooseWorkspacesFolder(root, run, configured, context.env)
  const workspaces = createWorktrees({
    root,
    runDir,
    run,
    branch: `looper/${run}`,
    base: head,
    workspace: config.workspace,
    setup,
    backlog: config.backlog,
    userEnv: context.env,
    mark,
    mask,
    signal,
    sandbox,
    isScratch: true,
    onSetup: (command, ms) =>
      onRow({ check: 'set-up', ok: true, detail: mask(`${command} · ${duration(ms)}`), hint: null }),
    ...seenBy(context.env, admissions.setup),
  })
  return {
    async run(check, nth) {
      const work = workOf(check, nth, head)
      if (nth === 1) onStart(setup.length === 0 ? 'preparing the workspace' : mask(setup.join(' && ')))
      try {
        const { path } = await workspaces.verification(work)
        return await perform(work, path)
      } catch (error) {
        if (!(error instanceof LooperError) || error.code !== 'WORKSPACE_SETUP') throw error
        const hint = ['No check ran.', ...setupRemedies(error.message).map(remedyText)].join('\n')
        if (!signal.aborted) onRow({ check: 'set-up', ok: false, detail: error.message, hint })
        return null
      } finally {
        workspaces.verified(work.id)
      }
    },
    async remove() {
      await workspaces.clean()
      for (const used of [folder, verificationFolder(folder)]) await removeTree(used)
    },
  }
}

const workOf = ({ name, run, timeoutMinutes = checkTimeoutMinutes }: CheckConfig, nth: number, commit: string) =>
  ({
    kind: 'check',
    id: `doctor/${nth}`,
    workspace: verificationWorkspace,
    task: null,
    name,
    run: { shell: run },
    timeoutMs: timeoutMinutes * 60_000,
    tree: null,
    commit,
  }) satisfies CheckWork

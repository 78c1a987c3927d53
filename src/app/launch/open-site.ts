/** Opens the site of a run on this machine: git, processes, prompts and the files of passes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mask } from '../../agents/mask.ts'
import { runCheck } from '../../checks/run-check.ts'
import type { RenderPrompt } from '../../context/prompt-input.ts'
import { diskBytes, isOverspent } from '../../core/policies/budget.ts'
import { hasBegun } from '../../core/tasks/has-begun.ts'
import { createConfirmCheck } from '../../dispatch/confirm-check.ts'
import { createLocalDispatch, type LocalDispatch, type LocalDispatchOptions } from '../../dispatch/local.ts'
import type { AgentConfig } from '../../model/config.ts'
import type { Fact } from '../../model/event.ts'
import type { Site } from '../../model/ports/site.ts'
import type { RunState } from '../../model/state.ts'
import type { CheckOutcome } from '../../model/work.ts'
import { markOf, runKey } from '../../platform/mark.ts'
import type { Sandbox } from '../../platform/sandbox/sandbox.ts'
import { createLocalSite } from '../../site/local-site.ts'
import type { HooksOf } from '../../site/turn-hooks.ts'
import { gitDirsOf } from '../../workspace/clones/worktree-link.ts'
import { tryGit } from '../../workspace/git/git.ts'
import { openQuickObjects } from '../../workspace/git/quick-objects.ts'
import { createInPlace } from '../../workspace/in-place.ts'
import type { Workspaces } from '../../workspace/workspaces.ts'
import { createWorktrees } from '../../workspace/worktrees.ts'
import { seenBy, seenByCheck, type Admissions } from '../prepare/check-settings.ts'
import type { AppContext } from '../context.ts'
import { envFileNamed, envFileWith, foldersOfCheck, type EnvFilePlaces } from './env-files.ts'
import { createPassFiles } from './pass-files.ts'
import { createPreflightMemory, type PreflightMemory } from './preflight-memory.ts'

export interface OpenSiteOptions {
  root: string
  /** The id and the folder of the run. */
  id: string
  dir: string
  state: RunState
  /** The first event of this stretch. */
  start: Fact
  /** How to start each agent now. */
  agents: Record<string, AgentConfig>
  mask: Mask
  /** The variables that checks and set-up see in addition to the usual ones. */
  admissions: Admissions
  setup: string[]
  copy: string[]
  sandbox: Sandbox | null
  /** Ends set-up that is running. */
  signal: AbortSignal
  render: RenderPrompt
  /** Awaited before each pass of a loop and each task of a backlog: follow-up work of the previous one must be over. */
  beforePass(): Promise<void>
  onTrouble(message: string): void
}

export interface OpenSite extends Pick<LocalDispatch, 'contradiction' | 'dismissKeeper'>, Pick<Workspaces, 'clean'> {
  site: Site
  /** Ends the processes that serve several calls. */
  close(): Promise<void>
}

export function openSite(context: AppContext, options: OpenSiteOptions): OpenSite {
  const { state, mask, render } = options
  const workspaces = workspacesFor(context, options)
  const memory = memoryFor(context, options)
  const dispatch = dispatchFor(context, options, workspaces, memory)
  const site = createLocalSite({
    workspaces,
    dispatch,
    hooksOf: passHooks(options),
    recall: memory.recall,
    prompt: (work, { path, diff }) => mask(render({ state, work, diff, cwd: path })),
  })
  return {
    site,
    contradiction: dispatch.contradiction,
    dismissKeeper: dispatch.dismissKeeper,
    clean: workspaces.clean,
    close: async () => workspaces.close?.(),
  }
}

const begunAs = ({ start, state }: OpenSiteOptions): Pick<RunState, 'config' | 'base' | 'branch' | 'goal'> =>
  start.type === 'run.started' ? start : state

/** A pass of a loop has files in its workspace. A task of a backlog has none, but it waits for hooks as well. */
function passHooks(options: OpenSiteOptions): HooksOf {
  const { root, dir, state, mask, beforePass, onTrouble } = options
  const { backlog } = begunAs(options).config
  const files = createPassFiles({ root, dir, backlog, mask, onTrouble })
  return ({ purpose }) => {
    if (purpose !== 'iterate') return {}
    if (state.loop === null) return { before: beforePass }
    return {
      async before(path) {
        files.lay(path, state)
        await beforePass()
      },
      after: async (path, outcome) => ({ ...outcome, left: await files.read(path, state) }),
    }
  }
}

function workspacesFor(context: AppContext, options: OpenSiteOptions): Workspaces {
  const { root, id, dir, mask, sandbox, signal, setup, copy, admissions } = options
  const { config, base, branch, goal } = begunAs(options)
  const key = runKey(dir)
  const { finder } = mask
  const shared = {
    root,
    runDir: dir,
    run: id,
    branch,
    base: base.commit,
    workspace: { ...config.workspace, copy },
    setup,
    wording: { goal, settings: config.commit },
    backlog: config.backlog,
    checksParallel: config.checksParallel,
    parallel: config.parallel,
    userEnv: context.env,
    mark: (workId: string) => markOf(key, workId, 1),
    mask,
    signal,
    sandbox,
    ...(finder.isEmpty ? {} : { isClean: (text: string) => finder.next(text, 0) === null }),
    ...seenBy(context.env, admissions.setup),
  }
  return config.workspace.mode === 'in-place' ? createInPlace(shared) : createWorktrees(shared)
}

function dispatchFor(
  context: AppContext,
  options: OpenSiteOptions,
  workspaces: Workspaces,
  memory: PreflightMemory,
): LocalDispatch {
  const { dir, state, agents, mask, sandbox } = options
  const built = (name: string): string => join(context.packageFolder, 'dist', name)
  return createLocalDispatch({
    runDir: dir,
    key: runKey(dir),
    agents,
    mask,
    env: context.env,
    sandbox,
    home: context.home,
    playerPath: playerIn(context.packageFolder),
    mcpPath: built('tools.js'),
    driverPath: built('acp.js'),
    keeperPath: built('keeper.js'),
    ...boundsOf(state),
    // In a sandbox no other process can write into a verification workspace.
    ...(sandbox ? {} : { confirm: createConfirmCheck(workspaces) }),
    runCheck: checkRunner(context, options, memory),
  })
}

/** A check that passed on the same base before is not repeated. */
function memoryFor(context: AppContext, options: OpenSiteOptions): PreflightMemory {
  const { root, dir, state, sandbox, setup, copy, admissions } = options
  return createPreflightMemory({
    context,
    root,
    setup,
    copy,
    isBase: ({ task, commit }) =>
      task === null && commit === state.base.commit && state.baseline === null && !hasBegun(state),
    variablesOf: (work) => seenByCheck(context.env, admissions, work).env,
    treeOf: async (commit) => {
      const known = openQuickObjects(gitDirsOf(root).commonDir, null).treeOf(commit)
      if (known !== null) return known
      const found = await tryGit(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`], {
        cwd: root,
        mark: markOf(runKey(dir), 'baseline', 1),
      })
      return found.exitCode === 0 ? found.stdout.trim() : null
    },
    sandbox: sandbox !== null,
  })
}

function checkRunner(
  context: AppContext,
  options: OpenSiteOptions,
  memory: PreflightMemory,
): LocalDispatchOptions['runCheck'] {
  const { root, dir, mask, sandbox, admissions } = options
  return async (request, signal) => {
    const { work } = request
    const logFile = join(dir, 'checks', `${work.id.replaceAll('/', '.')}.log`)
    const outcome = await runCheck(
      { ...request, mask, sandbox, ...seenByCheck(context.env, admissions, work), logFile },
      signal,
    )
    await memory.keep(work, outcome)
    const command = 'argv' in work.run ? work.run.argv.join(' ') : work.run.shell
    return withCheckout(outcome, { root, workspace: request.cwd, folders: foldersOfCheck(command, root) })
  }
}

/** A missing file that git ignores may be in the checkout: then it only has to be copied. It may set a variable. */
function withCheckout(outcome: CheckOutcome, places: EnvFilePlaces): CheckOutcome {
  const { cannotRun } = outcome
  if (cannotRun?.kind === 'variable') {
    const setIn = envFileWith(cannotRun.subject, places)
    return setIn === null ? outcome : { ...outcome, cannotRun: { ...cannotRun, setIn } }
  }
  const subject = cannotRun?.kind === 'env-file' ? envFileNamed(cannotRun.subject, places) : null
  return subject === null || !cannotRun
    ? outcome
    : { ...outcome, cannotRun: { ...cannotRun, subject, inCheckout: true } }
}

/** Read from the state on each call: the user can change limits while the run is live. */
const boundsOf = (
  state: RunState,
): Pick<LocalDispatchOptions, 'isOverspent' | 'diskLimitBytes' | 'hasOwnWorkspaces'> => ({
  hasOwnWorkspaces: () => state.config.workspace.mode !== 'in-place',
  isOverspent: () => isOverspent(state.config.limits, state.usage),
  diskLimitBytes: () => (typeof state.config.limits.diskMb === 'number' ? diskBytes(state.config.limits.diskMb) : null),
})

/** The build puts the player into `dist`; in a checkout of Looper it is among the sources. */
function playerIn(packageFolder: string): string {
  const built = join(packageFolder, 'dist', 'player.js')
  return existsSync(built) ? built : join(packageFolder, 'src', 'agents', 'scripted', 'player.js')
}

/** Opens the site of a run on this machine: git, processes, prompts and the files of passes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mask } from '../agents/mask.ts'
import { runCheck } from '../checks/run-check.ts'
import type { RenderPrompt } from '../context/prompt-input.ts'
import { diskBytes, isOverspent } from '../core/policies/budget.ts'
import { createConfirmCheck } from '../dispatch/confirm-check.ts'
import { createLocalDispatch, type LocalDispatch, type LocalDispatchOptions } from '../dispatch/local.ts'
import type { AgentConfig } from '../model/config.ts'
import type { Fact } from '../model/event.ts'
import type { Site } from '../model/ports/site.ts'
import type { RunState } from '../model/state.ts'
import { markOf, runKey } from '../platform/mark.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { createLocalSite } from '../site/local-site.ts'
import type { HooksOf } from '../site/turn-hooks.ts'
import { createInPlace } from '../workspace/in-place.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { createWorktrees } from '../workspace/worktrees.ts'
import { seenBy, type Admissions } from './check-settings.ts'
import type { Context } from './context.ts'
import { createPassFiles } from './pass-files.ts'

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

export function openSite(context: Context, options: OpenSiteOptions): OpenSite {
  const { state, mask, render } = options
  const workspaces = workspacesFor(context, options)
  const dispatch = dispatchFor(context, options, workspaces)
  const site = createLocalSite({
    workspaces,
    dispatch,
    hooksOf: passHooks(options),
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

const begunAs = ({ start, state }: OpenSiteOptions): Pick<RunState, 'config' | 'base' | 'branch'> =>
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

function workspacesFor(context: Context, options: OpenSiteOptions): Workspaces {
  const { root, id, dir, mask, sandbox, signal, setup, copy, admissions } = options
  const { config, base, branch } = begunAs(options)
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
    backlog: config.backlog,
    checksParallel: config.checksParallel,
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

function dispatchFor(context: Context, options: OpenSiteOptions, workspaces: Workspaces): LocalDispatch {
  const { dir, state, agents, mask, admissions, sandbox } = options
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
    runCheck: (request, signal) =>
      runCheck(
        {
          ...request,
          mask,
          sandbox,
          // A command that an agent proposed must not see the variables that the user passes to their own checks.
          ...seenBy(context.env, 'argv' in request.work.run ? {} : (admissions.checks.get(request.work.name) ?? {})),
          logFile: join(dir, 'checks', `${request.work.id.replaceAll('/', '.')}.log`),
        },
        signal,
      ),
  })
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

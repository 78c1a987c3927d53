/** Runs every check of a run on one commit, in a verification workspace, outside of any run. */
import { runCheck } from '../../checks/run-check.ts'
import { createConfirmCheck, type ConfirmCheck } from '../../dispatch/confirm-check.ts'
import { loadConfig } from '../../config/layers.ts'
import { excuseFor } from '../../core/policies/baseline.ts'
import { judgeCheck, type PlannedCheck } from '../../core/policies/checks.ts'
import { finalChecks } from '../../core/policies/final-checks.ts'
import { failureLine, failureLines } from '../../model/failure-lines.ts'
import { LooperError } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace, type CheckOutcome, type CheckWork } from '../../model/work.ts'
import { markOf, runKey } from '../../platform/mark.ts'
import { plain, plainBlock } from '../../views/text/plain-text.ts'
import { createWorktrees } from '../../workspace/worktrees.ts'
import { refuseChanged } from '../settings/changed-settings.ts'
import { admissionsOf, checksInForce, seenBy, seenByCheck } from '../prepare/check-settings.ts'
import { discoverIn } from '../prepare/discover.ts'
import type { AppContext } from '../context.ts'
import type { Recounted } from '../runs/recount.ts'
import { maskOf, withSecretsOf } from '../launch/run-mask.ts'
import { runOf } from '../runs/runs.ts'
import { openSandbox } from '../prepare/sandbox.ts'

/** What the checks said of a commit. */
export interface CommitChecks {
  /** Names of the checks that passed. */
  green: string[]
  /** Names of red checks that are no worse than before the run, or known as flaky. */
  excused: string[]
  /** Names of red checks; checking ends with the first one. */
  red: string[]
}

export interface CheckCommitOptions {
  /** Use settings that changed while the run was under way; without it, such a change is CONFIG_CHANGED. */
  settings: boolean
  /** Report a red check instead of throwing. */
  force: boolean
  /** The commit is in the user's branch already. */
  applied: boolean
  /** The command that accepts changed settings. */
  command: string
  onCheck?: ((name: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Throws WORKSPACE_APPLY for the first red check, and CONFIG_CHANGED. */
export async function checkCommit(
  context: AppContext,
  root: string,
  recounted: Recounted,
  commit: string,
  { settings, force, applied, command, onCheck, signal = new AbortController().signal }: CheckCommitOptions,
): Promise<CommitChecks> {
  const { state } = recounted
  const found: CommitChecks = { green: [], excused: [], red: [] }
  const checks = finalChecks(state)
  if (checks.length === 0) return found
  if (!settings) refuseChanged(context, root, recounted, command)
  const check = await checker(context, root, state, signal)
  try {
    for (const [place, planned] of checks.entries()) {
      onCheck?.(planned.name)
      const run = (): Promise<CheckOutcome> => check.run(planned, place + 1, commit).catch(notSetUp)
      const outcome = await patiently(state, planned, run, signal)
      if (signal.aborted) throw new LooperError('WORKSPACE_APPLY', 'Interrupted. Nothing was applied.')
      const { passed, usable } = judgeCheck(outcome, planned.proposed)
      if (passed) found.green.push(planned.name)
      else if (usable && excuseFor(state, null, planned, outcome) !== null) found.excused.push(planned.name)
      else if (usable && !force) throw red(state.run, planned, outcome, applied)
      else if (usable) return { ...found, red: [planned.name] }
    }
  } finally {
    await check.clean()
  }
  return found
}

/** A set-up that fails on this commit makes the check red. */
function notSetUp(error: unknown): CheckOutcome {
  if (!(error instanceof LooperError) || (error.code !== 'WORKSPACE_SETUP' && error.code !== 'WORKSPACE_CONTENT'))
    throw error
  const { message: tail, code } = error
  const known = { durationMs: 0, timedOut: false, started: false, tests: null } as const
  return { kind: 'check', exitCode: null, ...known, tail, fingerprint: `${code}: ${tail}` }
}

/** Runs a red check again as often as a run does: one that passes then is flaky. */
async function patiently(
  state: RunState,
  { proposed }: PlannedCheck,
  run: () => Promise<CheckOutcome>,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  let outcome = await run()
  const isRed = (): boolean => !signal.aborted && !judgeCheck(outcome, proposed).passed
  for (let left = state.config.checkReruns ?? 0; left > 0 && isRed(); left--) outcome = await run()
  return outcome
}

const mostLines = 20

function red(run: string, { name }: PlannedCheck, { exitCode, tail }: CheckOutcome, applied: boolean): LooperError {
  const output = plainBlock(tail)
  const lines = failureLines(output, mostLines).split('\n')
  const where = applied ? 'your branch' : 'the result of the merge'
  const cause = plain(failureLine(output), 200)
  const how = exitCode === null ? 'did not end by itself' : `failed (exit ${exitCode})`
  return new LooperError(
    'WORKSPACE_APPLY',
    `The check ${plain(name)} ${how} on ${where}${cause ? `: ${cause}` : '.'}`,
    {
      hint: applied
        ? `The run is in your branch already. Fix it there: looper run "Repair the check ${plain(name)}"`
        : `Nothing was applied. Merge it by hand and fix it (git merge looper/${run}), `
          + `or apply it anyway: looper apply ${run} --force`,
      details: { lines },
    },
  )
}

async function checker(
  context: AppContext,
  root: string,
  { run, branch, base, config }: RunState,
  signal: AbortSignal,
) {
  const { folder: dir } = runOf(root, run)
  const loaded = withSecretsOf(loadConfig({ root, env: context.env, home: context.home }), config.secrets)
  const admissions = admissionsOf((await checksInForce(loaded, discoverIn(root, context.env))).list, loaded.config)
  const mask = maskOf(context.env, loaded)
  const sandbox = openSandbox(context, { root, runDir: dir, config, allow: loaded.config.sandboxAllow ?? [] })
  const mark = (id: string): string => markOf(runKey(dir), id, 1)
  const workspaces = createWorktrees({
    root,
    runDir: dir,
    run,
    branch,
    base: base.commit,
    workspace: config.workspace,
    setup: config.workspace.setup ?? [],
    backlog: config.backlog,
    userEnv: context.env,
    mark,
    mask,
    signal,
    sandbox,
    ...seenBy(context.env, admissions.setup),
  })
  // In a sandbox no other process can write into a verification workspace.
  const confirm: ConfirmCheck = sandbox ? async (_work, outcome) => outcome : createConfirmCheck(workspaces)
  return {
    clean: workspaces.cleanVerification,
    async run({ name, run: command, timeoutMs }: PlannedCheck, place: number, commit: string): Promise<CheckOutcome> {
      const work: CheckWork = {
        kind: 'check',
        id: `apply/${place}`,
        workspace: verificationWorkspace,
        task: null,
        name,
        run: command,
        timeoutMs,
        tree: null,
        commit,
      }
      const { path } = await workspaces.verification(work)
      const seen = seenByCheck(context.env, admissions, work)
      const runIn = (cwd: string): Promise<CheckOutcome> =>
        runCheck({ work, cwd, mark: mark(work.id), mask, sandbox, ...seen }, signal)
      try {
        return await confirm(work, await runIn(path), runIn)
      } finally {
        workspaces.verified(work.id)
      }
    },
  }
}

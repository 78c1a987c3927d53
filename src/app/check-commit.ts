/** Runs every check of a run on one commit, in a verification workspace, outside of any run. */
import { runCheck } from '../checks/run-check.ts'
import { createConfirmCheck, type ConfirmCheck } from '../dispatch/confirm-check.ts'
import { loadConfig } from '../config/layers.ts'
import { judgeCheck, type PlannedCheck } from '../core/policies/checks.ts'
import { finalChecks } from '../core/policies/final-checks.ts'
import { LooperError } from '../model/error.ts'
import type { RunState } from '../model/state.ts'
import { verificationWorkspace, type CheckOutcome, type CheckWork } from '../model/work.ts'
import { markOf, runKey } from '../platform/mark.ts'
import { plain } from '../views/plain-text.ts'
import { createWorktrees } from '../workspace/worktrees.ts'
import { refuseChanged } from './changed-settings.ts'
import { admissionsOf, checksInForce, seenBy } from './check-settings.ts'
import type { Context } from './context.ts'
import type { Recounted } from './recount.ts'
import { maskOf, withSecretsOf } from './run-mask.ts'
import { runOf } from './runs.ts'
import { openSandbox } from './sandbox.ts'

/**
 * Returns the names of the passed checks. Throws WORKSPACE_APPLY for the first red check, and when there are no checks;
 * CONFIG_CHANGED unless `settings` accepts changed settings.
 */
export async function checkCommit(
  context: Context,
  root: string,
  recounted: Recounted,
  commit: string,
  settings: boolean,
): Promise<string[]> {
  const { state } = recounted
  if (!settings) refuseChanged(context, root, recounted, `looper apply ${state.run} --check --settings`)
  const checks = finalChecks(state)
  if (checks.length === 0) {
    throw new LooperError('WORKSPACE_APPLY', `${state.run} has no checks to run.`, {
      hint: 'Apply it without --check.',
    })
  }
  const check = await checker(context, root, state)
  const green: string[] = []
  try {
    for (const [place, planned] of checks.entries()) {
      const outcome = await check.run(planned, place + 1, commit)
      const { passed, usable } = judgeCheck(outcome, planned.proposed)
      if (usable && !passed) throw red(state.run, planned, outcome)
      if (passed) green.push(planned.name)
    }
  } finally {
    await check.clean()
  }
  return green
}

function red(run: string, { name }: PlannedCheck, { exitCode, tail }: CheckOutcome): LooperError {
  const last = tail
    .split('\n')
    .map((line) => plain(line, 200))
    .findLast((line) => line !== '')
  const how = exitCode === null ? 'did not end by itself' : `failed (exit ${exitCode})`
  return new LooperError(
    'WORKSPACE_APPLY',
    `The check ${plain(name)} ${how} on the result of the merge${last ? `: ${last}` : '.'}`,
    {
      hint:
        `Nothing was applied. \`looper diff ${run}\` shows the changes. `
        + `\`looper apply ${run}\` without --check applies them.`,
    },
  )
}

async function checker(context: Context, root: string, { run, branch, base, config }: RunState) {
  const { folder: dir } = runOf(root, run)
  const loaded = withSecretsOf(loadConfig({ root, env: context.env, home: context.home }), config.secrets)
  const { checks, setup } = admissionsOf((await checksInForce(loaded, root)).list, loaded.config)
  const [mask, { signal }] = [maskOf(context.env, loaded), new AbortController()]
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
    ...seenBy(context.env, setup),
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
      // A command that an agent proposed must not see the variables that the user passes to their own checks.
      const seen = seenBy(context.env, 'argv' in command ? {} : (checks.get(name) ?? {}))
      const runIn = (cwd: string): Promise<CheckOutcome> =>
        runCheck({ work, cwd, mark: mark(work.id), mask, sandbox, ...seen })
      try {
        return await confirm(work, await runIn(path), runIn)
      } finally {
        workspaces.verified(work.id)
      }
    },
  }
}

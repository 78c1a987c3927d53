/**
 * Compares the journal with the folders of its turns, the logs of its final checks and the run branch, before a run is
 * applied or treated as completed. Without a sandbox an agent can write to the journal.
 */
import { loadConfig, type LoadedConfig } from '../../config/layers.ts'
import { finalChecksOf } from '../../core/claims/completion-claim.ts'
import type { TurnClaim } from '../../core/claims/turn-claims.ts'
import { createSetting } from '../../dispatch/local.ts'
import { contradiction } from '../../dispatch/recheck.ts'
import type { TurnSetting } from '../../dispatch/turn.ts'
import { LooperError } from '../../model/error.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import { runKey } from '../../platform/mark.ts'
import { plain } from '../../views/text/plain-text.ts'
import { findTip } from '../../workspace/landing/review.ts'
import { entryOf } from '../prepare/choose-agent.ts'
import type { AppContext } from '../context.ts'
import { notBelieved, type Recounted } from './recount.ts'
import { maskOf, withSecretsOf } from '../launch/run-mask.ts'
import { runOf } from './runs.ts'

/**
 * Throws JOURNAL_CONTRADICTED, which names the first event that is not believed. `commit` is the one that would be
 * applied. Changes nothing.
 */
export async function refuseContradicted(
  context: AppContext,
  root: string,
  recounted: Recounted,
  commit: string,
  outcome = 'Nothing was applied.',
): Promise<void> {
  const found = await findContradiction(context, root, recounted, commit)
  if (found === null) return
  const { run, branch } = recounted.state
  throw contradicted(
    run,
    found,
    outcome,
    ` To take the commits as they are, review them (looper diff ${run}) and run: git merge ${plain(branch)}`,
  )
}

/** The same for `looper resume` of a run that is recorded as completed. */
export async function refuseContradictedEnd(context: AppContext, root: string, recounted: Recounted): Promise<void> {
  const { state } = recounted
  const tip = await findTip(root, state)
  const found = await findContradiction(context, root, recounted, tip)
  if (found !== null) throw contradicted(state.run, found, 'The run was not resumed.')
}

/** The same before `looper clean` removes the folders of the turns: after that there is nothing to compare with. */
export async function refuseContradictedClean(context: Home, root: string, recounted: Recounted): Promise<void> {
  const { state } = recounted
  const found = await findContradiction(context, root, recounted, await findTip(root, state))
  if (found !== null) throw contradicted(state.run, found, 'Its turns were not removed.')
}

type Home = Pick<AppContext, 'env' | 'home'>

interface Contradiction {
  seq: number
  why: string
}

/** `commit` is null when the branch is gone, as after `looper discard`; then landed commits are not checked. */
async function findContradiction(
  context: Home,
  root: string,
  recounted: Recounted,
  commit: string | null,
): Promise<Contradiction | null> {
  const { state, claims } = recounted
  const run = runOf(root, state.run)
  const loaded = withSecretsOf(loadConfig({ root, env: context.env, home: context.home }), state.config.secrets)
  const agents = claims.answers(state).map(({ work: { agent } }) => agent)
  const setting = settingFor(context, run.folder, loaded, agents)
  const turns = { contradiction: (claim: TurnClaim) => contradiction(setting, claim) }
  const [first] = await notBelieved(root, recounted, turns, commit)
  if (first) return { seq: first.revokes ?? state.seq, why: first.why }
  const log = await missingLog(run, state)
  return log === null ? null : { seq: state.seq, why: `the run is recorded as completed, but ${log} is missing` }
}

/** The first missing log of a final check that is recorded as run. */
async function missingLog({ artifacts }: StoredRun, state: RunState): Promise<string | null> {
  if (state.status !== 'completed') return null
  const prefix = `gate.g${state.gate.round}.check`
  const logs = finalChecksOf(state).map((_, index) => `checks/${prefix}.${index + 1}.log`)
  for (const log of logs) if (!(await artifacts.exists(log))) return log
  return null
}

function contradicted(run: string, { seq, why }: Contradiction, outcome: string, otherwise = ''): LooperError {
  const message = `Event ${seq} of the journal is not trusted: ${plain(why)}. ${outcome}`
  return new LooperError('JOURNAL_CONTRADICTED', message, {
    hint: `Start again from before it: looper fork ${run} --at ${seq - 1}.${otherwise}`,
  })
}

/** Only the settings that are needed to read the answers of turns again. */
function settingFor({ env, home }: Home, dir: string, loaded: LoadedConfig, agents: readonly string[]): TurnSetting {
  const entries = agents.map((name) => [name, entryOf(loaded.config, name)] as const)
  return createSetting(
    {
      runDir: dir,
      key: runKey(dir),
      agents: { ...loaded.config.agents, ...Object.fromEntries(entries) },
      mask: maskOf(env, loaded),
      env,
      home,
      playerPath: '',
      mcpPath: '',
      driverPath: '',
      runCheck: () => Promise.reject(new Error('no check runs here')),
    },
    () => {},
    () => {},
  )
}

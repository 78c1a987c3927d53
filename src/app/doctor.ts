/** `looper doctor`: reports what this machine and repository have, what is missing, and how to fix it. */
import { accessSync, constants } from 'node:fs'
import { kindOf } from '../agents/registry.ts'
import { loadConfig, type LoadedConfig } from '../config/layers.ts'
import { initialState } from '../core/initial.ts'
import { agentTypeOf, knownPrograms } from '../model/agent-type.ts'
import type { AgentConfig, Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { StoredRun } from '../model/ports.ts'
import type { DoctorRow } from '../api/upkeep.ts'
import { leftText } from '../views/left-behind.ts'
import { findRepository, type Repository } from '../workspace/repository.ts'
import { rewindRun } from '../workspace/rewind.ts'
import { agentsInReserve, agentsInUse, chooseAgent, entryOf } from './choose-agent.ts'
import type { Context } from './context.ts'
import { checkRows } from './doctor-checks.ts'
import { own } from './launch.ts'
import { findLeft } from './left-behind.ts'
import { findProgram, locateAgent, placeIn, type Place } from './locate-agent.ts'
import { missingScript } from './missing-script.ts'
import { probeAgent, probeText } from './probe-agent.ts'
import { fold } from './read-run.ts'
import { runsOf } from './runs.ts'
import { missingAllowed, sandboxHere } from './sandbox.ts'

export async function doctor(context: Context, { repair }: { repair: boolean }): Promise<DoctorRow[]> {
  const rows: DoctorRow[] = [{ check: 'node', ok: true, detail: process.version, hint: null }]
  const repository = await attempt(
    rows,
    'repository',
    () => findRepository(context.cwd),
    ({ root, branch }) => `${root} on ${branch ?? 'a detached HEAD'}`,
  )
  const load = async (): Promise<LoadedConfig> =>
    loadConfig({ root: repository?.root ?? null, env: context.env, home: context.home })
  const loaded = await attempt(rows, 'config', load, ({ warnings }) =>
    warnings.length === 0 ? 'valid' : `valid; ${warnings.join('; ')}`,
  )
  if (loaded) rows.push(sandboxRow(context, loaded.config))
  for (const detail of loaded ? missingAllowed(loaded.config, context, repository?.root ?? context.cwd) : []) {
    rows.push({ check: 'sandbox', ok: false, detail, hint: null })
  }
  if (loaded) await agentRows(rows, context, loaded.config, loaded.sources['agent']?.source ?? 'default', repository)
  if (repository) {
    rows.push(writable(repository.root))
    if (loaded) rows.push(...(await checkRows(loaded, placeIn(context, repository.root), context)))
    const runs = runsOf(repository.root)
    for (const id of await runs.list()) await runRow(rows, repository.root, runs.open(id), repair)
  }
  return rows
}

async function attempt<T>(
  rows: DoctorRow[],
  check: string,
  probe: () => Promise<T>,
  detail: (found: T) => string,
): Promise<T | null> {
  try {
    const found = await probe()
    rows.push({ check, ok: true, detail: detail(found), hint: null })
    return found
  } catch (error) {
    if (!(error instanceof LooperError)) throw error
    rows.push({ check, ok: false, detail: error.message, hint: error.hint })
    return null
  }
}

async function agentRows(
  rows: DoctorRow[],
  context: Context,
  config: Config,
  source: string,
  repository: Repository | null,
): Promise<void> {
  const root = repository?.root ?? context.cwd
  const place = placeIn(context, root)
  const choice = await attempt(
    rows,
    'agent',
    () => chooseAgent(config, source, place),
    ({ agent, from }) => `${agent} (${from})`,
  )
  if (!choice) return
  const used = [...new Set([...agentsInUse(config, choice.agent), ...agentsInReserve(config)])]
  for (const name of used) await agentRow(rows, context, name, entryOf(config, name), place)
  // Installed agents that no role uses are listed for information, never as a failure.
  for (const name of knownPrograms) {
    const entry = entryOf(config, name)
    const spare = !used.includes(name) && (await findProgram(entry.bin ?? name, place)) !== null
    if (spare) await agentRow(rows, context, name, entry, place, true)
  }
}

async function agentRow(
  rows: DoctorRow[],
  context: Context,
  name: string,
  entry: AgentConfig,
  place: Place,
  spare = false,
): Promise<void> {
  const check = `agent ${name}`
  const agent = await attempt(rows, check, () => startable(name, entry, place), started)
  const type = agent === null ? null : agentTypeOf(name, agent)
  if (agent === null || type === null) return
  const kind = kindOf(type)
  const probe = await probeAgent(kind, agent, context)
  if (probe === null) return
  rows.pop()
  rows.push({
    check,
    ok: spare || probe.problems.length === 0,
    detail: probeText(kind, probe),
    hint: probe.problems.join(' ') || null,
  })
}

/** Checks for problems that a run finds only when it starts the agent. */
async function startable(name: string, entry: AgentConfig, place: Place): Promise<AgentConfig> {
  const agent = await locateAgent(name, entry, place)
  if (agent.script !== undefined) await (await import('../agents/scripted/load-script.ts')).loadScript(agent.script)
  const [key, command] =
    entry.command === undefined ? (['acp', entry.acp] as const) : (['command', entry.command] as const)
  const script = command === undefined ? null : await missingScript(command, place)
  if (script === null) return agent
  throw new LooperError('CONFIG_UNKNOWN_AGENT', `${command?.join(' ')}: there is no ${script} in ${place.root}`, {
    hint: `Write it, or fix "agents.${name}.${key}" in .looper/config.json.`,
  })
}

/** Fails only when the configuration requires a sandbox. Other runs work without one, but are not confined. */
function sandboxRow(context: Context, { sandbox }: Config): DoctorRow {
  const check = 'sandbox'
  const found = sandboxHere(context)
  const works = found.ok ? `; ${found.tool.path} works here` : ''
  if (sandbox === 'off') return { check, ok: true, detail: `switched off${works}`, hint: null }
  if (found.ok) return { check, ok: true, detail: `os: ${found.tool.path} works here`, hint: null }
  return { check, ok: sandbox !== 'os', detail: `off: ${found.why}`, hint: found.hint }
}

const started = ({ command, acp, script, bin }: AgentConfig): string =>
  command?.join(' ') ?? acp?.join(' ') ?? bin ?? `script ${script}`

function writable(root: string): DoctorRow {
  try {
    accessSync(root, constants.W_OK)
    return { check: 'writable', ok: true, detail: `${root} can be written to`, hint: null }
  } catch {
    return {
      check: 'writable',
      ok: false,
      detail: `${root} cannot be written to`,
      hint: 'Looper keeps its files in .looper/ and needs to write there.',
    }
  }
}

function asError(error: unknown): LooperError {
  if (error instanceof LooperError) return error
  throw error
}

/** Reports a damaged journal, repairs it with `--repair`, and reports agents that outlived a crash. */
async function runRow(rows: DoctorRow[], root: string, run: StoredRun, repair: boolean): Promise<void> {
  const readable: Event[] = []
  const check = `run ${run.id}`
  const scanned = await run.journal.inspect((event) => readable.push(event)).catch(asError)
  if (scanned instanceof LooperError) {
    rows.push({ check, ok: false, detail: scanned.message, hint: scanned.hint })
    return
  }
  const { damage } = scanned
  if (damage === null) return leftRow(rows, check, run, readable)
  if (!repair) {
    rows.push({
      check,
      ok: false,
      detail: `its journal is damaged at event ${damage.seq}: ${damage.why}`,
      hint: 'looper doctor --repair sets the damaged part aside and deletes nothing.',
    })
    return
  }
  await attempt(
    rows,
    check,
    () => repairRun(root, run, readable),
    (result) => result,
  )
}

async function leftRow(rows: DoctorRow[], check: string, run: StoredRun, events: readonly Event[]): Promise<void> {
  const state = fold(initialState(), events)
  if (state.status !== 'running' || (await run.lock.isHeld())) return
  const left = await findLeft(run.folder, state)
  if (left.agents.length === 0) return
  rows.push({
    check,
    ok: false,
    detail: `crashed; ${leftText(left)}`,
    hint: `End them: looper stop ${run.id}. Continue with them: looper resume ${run.id}`,
  })
}

/**
 * Rewinds the branch before it repairs the journal: if it is interrupted in between, the journal is still damaged and
 * the next repair does both.
 */
async function repairRun(root: string, run: StoredRun, readable: readonly Event[]): Promise<string> {
  const lock = await own(run)
  try {
    const aside = await rewind(root, readable)
    const repaired = await run.journal.repair()
    if (repaired === null) return 'healthy'
    const landed = aside === null ? '' : `; later landings are kept as ${aside} and will be done again`
    return `repaired: ${repaired.keptSeq} events kept, the rest is in ${repaired.file}${landed}`
  } finally {
    await lock.release()
  }
}

/**
 * Moves the run branch back to the last landing that the journal still has. Work after it is done again and must not
 * find its own changes. In place, the branch is never moved.
 */
async function rewind(root: string, [start, ...rest]: readonly Event[]): Promise<string | null> {
  if (start?.type !== 'run.started' || start.config.workspace.mode === 'in-place') return null
  const outcomes = rest.flatMap((event) => (event.type === 'work.finished' ? [event.outcome] : []))
  const landed = outcomes.flatMap((outcome) =>
    outcome.kind === 'integrate' && outcome.status === 'landed' ? (outcome.commit ?? []) : [],
  )
  return rewindRun(root, { run: start.run, branch: start.branch, to: landed.at(-1) ?? start.base.commit })
}

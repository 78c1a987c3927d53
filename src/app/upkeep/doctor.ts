/** `looper doctor`: reports what this machine and repository have, what is missing, and how to fix it. */
import { accessSync, constants } from 'node:fs'
import { loadConfig, type LoadedConfig } from '../../config/layers.ts'
import type { Config } from '../../model/config.ts'
import type { DoctorRow } from '../../api/upkeep.ts'
import { findRepository } from '../../workspace/git/repository.ts'
import { findRoot } from '../../workspace/git/find-root.ts'
import type { AppContext } from '../context.ts'
import { configFiles } from '../settings/config.ts'
import { checkRows } from './doctor-checks.ts'
import { programSearchIn } from '../prepare/locate-agent.ts'
import { runsOf } from '../runs/runs.ts'
import { missingAllowed, sandboxHere } from '../prepare/sandbox.ts'
import { addRow } from './doctor-row.ts'
import { bytesText } from '../../views/text/bytes.ts'
import { plural } from '../../views/text/format.ts'
import { agentRows } from './doctor-agents.ts'
import { storedEntries } from './clean-cache.ts'
import { runRow } from './doctor-runs.ts'

export async function doctor(context: AppContext, { repair }: { repair: boolean }): Promise<DoctorRow[]> {
  const rows: DoctorRow[] = [{ check: 'node', ok: true, detail: process.version, hint: null }]
  const repository = await addRow(
    rows,
    'repository',
    () => findRepository(context.cwd),
    ({ root, branch }) => `${root} on ${branch ?? 'a detached HEAD'}`,
  )
  // A repository without a commit has its configuration, too.
  const root = repository?.root ?? rootAt(context.cwd)
  const load = async (): Promise<LoadedConfig> => loadConfig({ root, env: context.env, home: context.home })
  const loaded = await addRow(rows, 'config', load, ({ warnings }) =>
    [configText(context, root), ...warnings].join('; '),
  )
  if (loaded) rows.push(sandboxRow(context, loaded.config))
  for (const detail of loaded ? missingAllowed(loaded.config, context, repository?.root ?? context.cwd) : []) {
    rows.push({ check: 'sandbox', ok: false, detail, hint: null })
  }
  if (loaded) await agentRows(rows, context, loaded.config, loaded.sources['agent']?.source ?? 'default', repository)
  if (repository) {
    rows.push(writable(repository.root))
    if (loaded) rows.push(...(await checkRows(loaded, programSearchIn(context, repository.root), context)))
    rows.push(cacheRow(context, repository.root))
    const runs = runsOf(repository.root)
    for (const id of await runs.list()) await runRow(rows, repository.root, runs.open(id), repair)
  }
  return rows
}

function rootAt(cwd: string): string | null {
  try {
    return findRoot(cwd)
  } catch {
    return null
  }
}

/** Which files the configuration comes from. */
function configText(context: AppContext, root: string | null): string {
  const names = configFiles(context, root).flatMap(({ name, exists }) => (exists ? [name] : []))
  if (names.length === 0) return 'no file: the defaults apply'
  return names.length === 1 ? `the ${names[0]} file is valid` : `the ${names.join(' and ')} files are valid`
}

/** Fails only when the configuration requires a sandbox. Other runs work without one, but are not confined. */
function sandboxRow(context: AppContext, { sandbox }: Config): DoctorRow {
  const check = 'sandbox'
  const found = sandboxHere(context)
  const works = found.ok ? `; ${found.tool.path} works here` : ''
  if (sandbox === 'off') return { check, ok: true, detail: `switched off${works}`, hint: null }
  if (found.ok) return { check, ok: true, detail: `os: ${found.tool.path} works here`, hint: null }
  return { check, ok: sandbox !== 'os', detail: `off: ${found.why}`, hint: found.hint }
}

function cacheRow(context: AppContext, root: string): DoctorRow {
  const entries = storedEntries(context, root)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const detail =
    entries.length === 0
      ? 'empty'
      : `${plural(entries.length, 'stored set-up')}, ${bytesText(bytes)}; \`looper clean --cache\` removes them`
  return { check: 'set-up cache', ok: true, detail, hint: null }
}

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

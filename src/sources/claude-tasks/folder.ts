/**
 * Finds the folders in which Claude Code stores its task lists: one per list, named by the user or after the session.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { whenExists } from '../../platform/files.ts'

interface Machine {
  env: NodeJS.ProcessEnv
  home: string
}

export const listsFolder = ({ env, home }: Machine): string =>
  join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'tasks')

/** Matches the names of task files, not those of locks and markers. */
export const taskName = /^[^.].*(?=\.json$)/

/**
 * Returns the folder of a list: the named one, else the one that CLAUDE_CODE_TASK_LIST_ID names, else the one with the
 * newest task. Throws ENVIRONMENT_SOURCE when there is none.
 */
export async function findTaskList(machine: Machine, name: string | null): Promise<string> {
  const lists = listsFolder(machine)
  const wanted = name ?? machine.env['CLAUDE_CODE_TASK_LIST_ID'] ?? ''
  if (wanted !== '') {
    if (!/^[^/\\.][^/\\]*$/.test(wanted))
      throw new LooperError('USAGE_ARGUMENTS', `"${wanted}" cannot be the name of a task list`)
    return join(lists, wanted)
  }
  const [first] = await taskLists(machine)
  if (first !== undefined) return join(lists, first)
  const hint = 'Name one: Claude Code makes it with CLAUDE_CODE_TASK_LIST_ID=<name>.'
  throw new LooperError('ENVIRONMENT_SOURCE', `there is no task list in ${lists}`, { hint })
}

/** Returns the lists that contain tasks, newest first. */
export async function taskLists(machine: Machine): Promise<string[]> {
  const lists = listsFolder(machine)
  const ages = await Promise.all(
    (await namesIn(lists)).map(async (each) => ({ each, newest: await newestIn(join(lists, each)) })),
  )
  const used = ages
    .filter(({ newest }) => newest > 0)
    .toSorted((a, b) => b.newest - a.newest || (a.each < b.each ? -1 : 1))
  return used.map(({ each }) => each)
}

const namesIn = async (folder: string): Promise<string[]> => (await whenExists(readdir(folder), folder)) ?? []

async function newestIn(folder: string): Promise<number> {
  const names = (await namesIn(folder)).filter((name) => taskName.test(name))
  const times = await Promise.all(
    names.map(async (name) => (await whenExists(stat(join(folder, name)), folder))?.mtimeMs ?? 0),
  )
  return times.reduce((newest, time) => Math.max(newest, time), 0)
}

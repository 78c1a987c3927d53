/** Finds the file with the tasks in a folder: each program keeps its tasks at a different path. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { whenExists } from '../../platform/files.ts'

/** Paths relative to a project folder or to a program's own folder. A star matches any folder. */
const folders = [
  '.beads/issues.jsonl',
  '.claude-looper/state.json',
  '.loop/workflow-state.json',
  '.loop/*/plan.md',
  '.claude/pipeline-runs/*/state.json',
  'plan.md',
  'PLAN.md',
  'issues.jsonl',
  'state.json',
  'workflow-state.json',
  '*/plan.md',
  'pipeline-runs/*/state.json',
  '*/state.json',
  'to-do.json',
  'todo.json',
]
/**
 * The paths before this index name a program and are tried first. The others are so general that a project may have
 * them for other reasons.
 */
const general = folders.indexOf('issues.jsonl')

/**
 * Returns the folder itself when it is a task list of Claude Code. Throws USAGE_ARGUMENTS when there is no such file,
 * or more than one.
 */
export async function pickFile(folder: string, name: string): Promise<string> {
  const names = (await whenExists(readdir(folder), folder)) ?? []
  if (names.some((each) => /^\d+\.json$/.test(each))) return folder
  const own = await findAll(folder, folders.slice(0, general))
  const found = own.length > 0 ? own : await findAll(folder, folders.slice(general))
  const [first, ...more] = found
  if (first === undefined) {
    const hint = 'Name the file with the tasks; `looper import --help` lists the known kinds.'
    throw new LooperError('USAGE_ARGUMENTS', `"${name}" contains nothing to import`, { hint })
  }
  if (more.length > 0) {
    const hint = `Name one: looper import ${join(name, first)}`
    throw new LooperError('USAGE_ARGUMENTS', `"${name}" contains several things to import: ${found.join(', ')}`, {
      hint,
    })
  }
  return join(folder, first)
}

async function findAll(folder: string, patterns: readonly string[]): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => find(folder, pattern.split('/'))))
  return [...new Set(found.flat())]
}

async function find(folder: string, [step, ...rest]: readonly string[]): Promise<string[]> {
  if (step === undefined) return ['']
  const entries = (await whenExists(readdir(folder, { withFileTypes: true }), folder).catch(() => null)) ?? []
  const isAny = (entry: Dirent): boolean => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name)
  const fitting = entries.filter((entry) => (step === '*' ? isAny(entry) : entry.name === step))
  const deeper = await Promise.all(
    fitting.map(async ({ name }) => (await find(join(folder, name), rest)).map((path) => join(name, path))),
  )
  return deeper.flat().toSorted()
}

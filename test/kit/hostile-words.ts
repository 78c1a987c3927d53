/** Agents that say hostile things, and all the text of a run. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { call } from './outside.ts'
import type { Project } from './project.ts'

export const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
export const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
export const quick = { review: false, limits }
export const codes = `if (role === 'coder') { write('made-' + attempt + '.txt', task); answer({ status: 'complete' }) }\n`
export const only = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })\n`

export const everyText = async (project: Project): Promise<string> => {
  const all = await Promise.all(
    [
      ['status'],
      ['ls'],
      ['runs'],
      ['report'],
      ['tail', '-n', 'all'],
      ['status', '--json'],
      ['ls', '--json'],
      ['runs', '--json'],
      ['tail', '--json', '-n', 'all'],
      ['diff', '--stat'],
      ['config'],
    ].map(async (args) => {
      const { code, stdout, stderr } = await call(project, args)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
      return stdout
    }),
  )
  return all.join('')
}

/** Paths below a folder, links not followed. */
export const below = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return lstatSync(path).isDirectory() ? [path, ...below(path)] : [path]
  })

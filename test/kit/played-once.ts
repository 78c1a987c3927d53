/**
 * Projects in which a run was played, put back from a copy: playing it takes more than a second, copying it some
 * milliseconds. Runs and workspaces record their paths, so the copy goes where the project was. While a test still has
 * the project there, another one is played.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import type { Project } from './project.ts'

const homeOf = ({ root }: Project): string => dirname(root)
const copyOf = (project: Project): string => `${homeOf(project)}.copy`

/** Plays once for each list of arguments. Projects are removed after each test. */
export function playedOnce<How extends readonly unknown[]>(
  play: (...how: How) => Promise<Project>,
): (...how: How) => Promise<Project> {
  const played = new Map<string, Project>()
  const used = new Set<Project>()
  afterEach(() => {
    for (const project of used) project.remove()
    used.clear()
  })
  afterAll(() => {
    for (const project of played.values()) rmSync(copyOf(project), { recursive: true, force: true })
  })
  return async (...how) => {
    const key = JSON.stringify(how)
    const known = played.get(key)
    const isFree = known !== undefined && !existsSync(homeOf(known))
    const project = isFree ? known : await play(...how)
    used.add(project)
    if (isFree) execFileSync('cp', ['-a', copyOf(project), homeOf(project)])
    else if (known === undefined) {
      execFileSync('cp', ['-a', homeOf(project), copyOf(project)])
      played.set(key, project)
    }
    return project
  }
}

/** What must be true of a run branch after any crash: it is what the journal tells, no change less and none more. */
import { expect } from 'vitest'
import { eventsSoFar, survivors } from '../kit/live.ts'
import type { Project } from '../kit/project.ts'

export const branch = 'looper/001-make-two-files'

/** The commits of the run branch, oldest first. */
export const onBranch = ({ git }: Project): string[] =>
  git('rev-list', '--reverse', '--first-parent', `main..${branch}`)
    .split('\n')
    .filter((commit) => commit !== '')

/** The same, as the journal has them: what landed, and what went with a rollback. */
export function told(project: Project): string[] {
  let commits: string[] = []
  for (const event of eventsSoFar(project)) {
    if (event.type === 'task.finished' && event.commit !== null) commits.push(event.commit)
    if (event.type === 'task.undone' && event.revert !== null) commits.push(event.revert)
    if (event.type === 'rolled.back') commits = commits.slice(0, commits.indexOf(event.to) + 1)
  }
  return commits
}

export function expectTruth(project: Project): void {
  expect(onBranch(project)).toEqual(told(project))
  expect(project.git('rev-parse', `refs/looper/${branch.replace('looper/', '')}/tip`)).toBe(
    project.git('rev-parse', branch),
  )
  expect(eventsSoFar(project).every(({ seq }, index) => seq === index + 1)).toBe(true)
  expect(survivors(project)).toEqual([])
  expect(project.git('fsck', '--no-dangling', '--no-progress')).toBe('')
}

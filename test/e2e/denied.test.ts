/** A check or a set-up command that the sandbox keeps from writing: the user learns which setting allows it. */
import { afterEach, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

const writes = 'touch "$HOME/denied.txt"'
const allows = /\[looper\] "sandboxAllow" in \S+ lets this write to \S+\/denied\.txt/

test('a check', async () => {
  project = createProject({ sandbox: 'os' })
  // A check has a home of its own: the user's is beside it.
  project.configure({ checks: [`touch "${project.root}/../denied.txt"`], review: false })
  await project.looper('run', 'make two files')
  const tails = project
    .events()
    .flatMap((event) => (event.type === 'work.finished' && event.outcome.kind === 'check' ? event.outcome.tail : []))
  expect(tails[0]).toMatch(allows)
})

test('a set-up command', async () => {
  project = createProject({
    config: { checks: ['true'], review: false, workspace: { setup: [writes] } },
    sandbox: 'os',
  })
  const { code, stdout } = await project.looper('run', 'make two files')
  expect([code, stdout]).toEqual([3, expect.stringMatching(allows)])
})

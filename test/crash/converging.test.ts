/** Kills while a culprit is taken back, while new tests are proved, and in a race: the run ends as without them. */
import { dirname, join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Event, EventType } from '../../src/model/event.ts'
import { startWith, type Faults } from '../kit/faults.ts'
import { eventsSoFar, follow, landed, removeAll, treeOf } from '../kit/live.ts'
import { createProject, type Project } from '../kit/project.ts'
import { branch, expectTruth } from './branch-truth.ts'

type Kill = NonNullable<Faults['kill']>

const goal = 'make two files'
const of = <T extends EventType>(project: Project, type: T): Event<T>[] =>
  eventsSoFar(project).filter((event) => event.type === type) as never
const after = (said: string): Kill => ({ said, when: 'after' })
const before = (said: string): Kill => ({ said, when: 'before' })

/** What every coder does, in the shell: a program that starts no other is over in a moment. */
function make(
  tasks: readonly Record<string, unknown>[],
  coder: string,
  config: Record<string, unknown>,
  files: Record<string, string> = {},
): Project {
  const project = createProject({ files })
  onTestFinished(() => removeAll(project))
  const program = join(dirname(project.root), 'agent.sh')
  writeFileSync(
    program,
    `#!/bin/sh
case $LOOPER_ROLE in
  planner) echo '${JSON.stringify({ status: 'plan', tasks })}' > "$LOOPER_RESULT_FILE" ;;
  coder) ${coder}
    echo '{ "status": "complete", "summary": "made" }' > "$LOOPER_RESULT_FILE" ;;
esac
`,
    { mode: 0o755 },
  )
  project.configure({
    agents: { quick: { command: [program], env: { NOTES: project.notes } } },
    review: false,
    ...config,
  })
  return project
}

async function dies(project: Project, kill: Kill): Promise<void> {
  expect(await follow(startWith(project, { kill }, 'run', goal)).ended).toMatchObject({ code: null, stderr: '' })
}

async function resumes(project: Project): Promise<void> {
  const ended = await project.looper('resume')
  expect(ended, ended.stdout).toMatchObject({ code: 0, stderr: '' })
  expect(await project.status()).toMatchObject({ status: 'completed' })
  expectTruth(project)
}

const names = (project: Project): string[] =>
  treeOf(project, branch)
    .split('\n')
    .map((line) => line.split('\t')[1] ?? '')

describe('F15: a culprit is taken back', () => {
  const culprit = (): Project =>
    make(
      [
        { id: 'T001', title: 'one' },
        { id: 'T002', title: 'two', dependsOn: ['T001'] },
      ],
      'if test "$LOOPER_TASK" = T002 && ! grep -q "passed before T002 landed"; then touch broken; fi; echo x > "$LOOPER_TASK.txt"',
      { checks: ['true', { name: 'whole', run: 'test ! -e broken', when: 'wave' }] },
    )

  test.for<[string, Kill]>([
    ['the revert is made', before('"work.finished","id":"wave2/at2/revert"')],
    ['its landing is begun', after('"id":"wave2/at2/land"')],
    ['it has landed', before('"task.undone"')],
    ['it is reported', after('"task.undone"')],
  ])('killed when %s: taken back once, and done again', async ([, kill]) => {
    const project = culprit()
    await dies(project, kill)
    await resumes(project)
    expect(names(project)).toEqual(['README.md', 'T001.txt', 'T002.txt'])
    expect(landed(project, branch)).toEqual(['T001', 'T002', 'T002', 'T002'])
    expect(of(project, 'task.undone')).toMatchObject([{ task: 'T002' }])
    const { revert, reverts } = of(project, 'task.undone')[0] ?? {}
    expect(project.git('log', '-1', '--format=%(trailers:key=Looper-Reverts,valueonly,separator=)', revert ?? '')).toBe(
      reverts,
    )
  })

  test.for(['rollback --to base', 'abort'])('killed when it has landed: `looper %s` tells it first', async (order) => {
    const project = culprit()
    await dies(project, before('"task.undone"'))
    expect(await project.looper(...order.split(' '))).toMatchObject({ code: 0, stderr: '' })
    expect(of(project, 'task.undone')).toMatchObject([{ task: 'T002' }])
    expectTruth(project)
    if (order === 'abort') return
    await resumes(project)
    expect(names(project)).toContain('T002.txt')
  })
})

describe('F13: new tests are proved', () => {
  const sum = (sign: string): string => `export const add = (a, b) => a ${sign} b\n`
  const isRight = `import test from 'node:test'\nimport { add } from './sum.mjs'\ntest('adds', () => { if (add(1, 2) !== 3) throw new Error('no') })\n`

  test.for<[string, Kill]>([
    ['other files are to be laid over them', after('"kind":"overlay","id"')],
    ['other files are laid over them', before('"outcome":{"kind":"overlay"')],
    ['it is known', before('"proof.given"')],
  ])('killed when %s: proved, and what lands is what was made', async ([, kill]) => {
    const project = make(
      [{ id: 'T001', title: 'one' }],
      'cp "$NOTES/sum.mjs" "$NOTES/new.test.mjs" .',
      { checks: [{ name: 'unit', run: 'node --test' }] },
      { 'sum.mjs': sum('-'), 'old.test.mjs': "import test from 'node:test'\ntest('stands', () => {})\n" },
    )
    writeFileSync(join(project.notes, 'sum.mjs'), sum('+'))
    writeFileSync(join(project.notes, 'new.test.mjs'), isRight)
    await dies(project, kill)
    await resumes(project)
    expect(of(project, 'proof.given')).toMatchObject([{ task: 'T001', proved: true, files: ['new.test.mjs'] }])
    expect(of(project, 'attempt.failed')).toEqual([])
    expect(project.git('show', `${branch}:sum.mjs`)).toBe(sum('+').trimEnd())
    expect(names(project)).toContain('new.test.mjs')
  })
})

describe('F16: a race', () => {
  test.for<[string, Kill]>([
    ['the second has begun', after('"task":"T001","attempt":2,')],
    ['it is to be decided', before('"race.decided"')],
    ['it is decided', after('"race.decided"')],
    ['the winner has landed', before('"task.finished","task":"T001"')],
  ])('killed when %s: won by the smaller change, and the other is kept', async ([, kill]) => {
    const project = make(
      [{ id: 'T001', title: 'one', complexity: 'complex' }],
      // Who has not begun when another could land does not begin any more.
      `touch "$NOTES/at$LOOPER_ATTEMPT"; until test -e "$NOTES/at1" && test -e "$NOTES/at2"; do sleep 0.02; done
    if test "$LOOPER_ATTEMPT" = 1; then seq 9 > a.txt; else seq 2 > a.txt; fi`,
      { checks: ['true'], parallel: 2, race: { complex: 2 } },
    )
    await dies(project, kill)
    await resumes(project)
    expect(of(project, 'race.decided')).toMatchObject([{ winner: 2, losers: [1] }])
    expect(project.git('show', `${branch}:a.txt`)).toBe('1\n2')
    const refs = project.git('for-each-ref', '--format=%(refname)', 'refs/looper/001-make-two-files/T001').split('\n')
    expect(refs.filter((ref) => project.git('show', `${ref}:a.txt`).endsWith('9'))).toHaveLength(1)
  })
})

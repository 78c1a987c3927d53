/** Checks that stay green because tests, fixtures or settings were changed, judged by the base's versions of these. */
import { expect, test, vi } from 'vitest'
import { cases, type Hollow, sums } from '../kit/hollow-changes.ts'
import { playCase, promptOf, type Judged } from '../kit/hostile.ts'

vi.setConfig({ testTimeout: 600_000 })

const statements = (change: Hollow['change']): string =>
  Object.entries(change)
    .map(([path, text]) => (text === null ? `fs.rmSync('${path}')` : `write('${path}', ${JSON.stringify(text)})`))
    .join('\n')

test.each(cases)(
  '$name',
  async ({ name, files = sums, checks = ['node --test test/'], change, tasks, goal, writes, severity, says }) => {
    const isBlocked = severity === 'BLOCKER'
    const coder = `if (fixing) { write('notes.txt', 'again') }\n${statements(change)}`
    const { project }: Judged = await playCase({
      name,
      files,
      checks,
      coder,
      expected: isBlocked ? 'failed' : 'completed',
      ...(writes ? { changes: writes } : {}),
      ...(goal === undefined ? {} : { goal }),
      tasks: tasks ?? [{ id: 'T001', title: 'Make addition faster' }],
    })
    const found = project.events().flatMap((event) => (event.type === 'finding.raised' ? [event] : []))
    expect(found[0]).toMatchObject({ severity, task: 'T001' })
    for (const text of says) expect(found[0]?.detail).toMatch(text)
    if (isBlocked) expect(promptOf(project, 'T001/a1/fix1')).toContain('Make the work pass the tests as they were.')
  },
)

const proofOf = ({ project }: Judged): { proved: boolean; runs: number } => {
  const [given] = project.events().flatMap((event) => (event.type === 'proof.given' ? [event] : []))
  const runs = project
    .events()
    .filter((event) => event.type === 'work.started' && /\/proof\d+\/\d+/.test(event.work.id))
  return { proved: given?.proved ?? false, runs: runs.length }
}
const product = "write('lib/double.mjs', 'export const double = (a) => a * 2\\n')"
const newTest = (assertion: string): string => `write('test/new.json', '{ "double": 4 }')
write('test/double.test.mjs', [
  "import assert from 'node:assert'", "import { readFileSync } from 'node:fs'", "import { test } from 'node:test'",
  "const { double: wanted } = JSON.parse(readFileSync('test/new.json', 'utf8'))", ${JSON.stringify(assertion)}, '',
].join('\\n'))`

test.each([
  {
    name: 'a new test with a new fixture that needs the change',
    proved: true,
    assertion: "test('doubles', async () => assert.equal((await import('../lib/double.mjs')).double(2), wanted))",
  },
  {
    name: 'a new test with a new fixture that says nothing',
    proved: false,
    assertion: "test('doubles', () => assert.equal(wanted, 4))",
  },
])('$name is run once on the old code', async ({ name, assertion, proved }) => {
  const judged = await playCase({
    name,
    files: sums,
    checks: ['node --test test/'],
    expected: 'completed',
    coder: `${product}\n${newTest(assertion)}`,
  })
  expect(proofOf(judged)).toEqual({ proved, runs: 1 })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleTask } from '../../../test/kit/state.ts'
import type { TamperKind } from '../../model/tamper.ts'
import { unlicensed, wordsOf } from './tamper.ts'

interface Words {
  title?: string
  description?: string
  criteria?: string[]
  files?: string[]
}
const taskOf = (words: Words) =>
  sampleTask({ id: 'T001', title: 'Speed up sum', description: '', criteria: [], ...words })
const allows = (words: Words, kind: TamperKind, file = 'a'): boolean =>
  unlicensed([wordsOf(taskOf(words))], [{ kind, file, test: null, detail: '' }], words.files).length === 0
const isAllowed = (title: string, kind: TamperKind): boolean => allows({ title }, kind)

const said: [string, TamperKind][] = [
  ['Remove the obsolete tests of the parser', 'test-deleted'],
  ['Delete legacy specs', 'test-deleted'],
  ['Replace the old test suite', 'test-deleted'],
  ['Skip the flaky tests of the parser for now', 'test-skipped'],
  ['Disable the e2e suite', 'test-skipped'],
  ['Remove the duplicate assertions', 'assertions-removed'],
  ['Relax the expectations on timing', 'assertion-weakened'],
  ['Lower the coverage threshold to 80', 'threshold-lowered'],
  ['Update the CI workflow', 'ci-lowered'],
  ['Regenerate all snapshots', 'snapshots-rewritten'],
  ['Update the snapshots', 'snapshots-rewritten'],
  ['Add a lint script', 'check-changed'],
  ['Migrate to a new tsconfig', 'check-changed'],
  ['Remove the flaky login test', 'test-deleted'],
  ['Remove tests that no longer apply', 'test-deleted'],
  ['Drop all of the tests for the old parser', 'test-deleted'],
  ['Remove the unit and integration tests of the cart', 'test-deleted'],
  ['Remove the test for `text`', 'test-deleted'],
  ['Delete or skip the flaky tests', 'test-deleted'],
  ['Delete or skip the flaky tests', 'test-skipped'],
  ['Refactor the parser and remove its old tests', 'test-deleted'],
  ['Speed it up, then delete the slow tests.', 'test-deleted'],
  ['You may remove obsolete tests', 'test-deleted'],
  ['Removal of legacy tests', 'test-deleted'],
  ['Removing the obsolete tests', 'test-deleted'],
  ['Do not touch the docs, but remove the old tests', 'test-deleted'],
  ['Keep the docs. Remove the old tests.', 'test-deleted'],
  ['Delete "login test"', 'test-deleted'],
  ['Remove the test that is not used any more', 'test-deleted'],
  ['This must not break. Remove the old tests', 'test-deleted'],
  ['Change CI to run on Node 22', 'ci-lowered'],
  ['Switch the linter to biome', 'check-changed'],
  ['Please delete the test file', 'test-deleted'],
  ['Remove legacy API and its tests', 'test-deleted'],
  ['Delete the login page and all its tests', 'test-deleted'],
  ['Remove the v1 endpoints, their tests and docs', 'test-deleted'],
  ['Revert "Group IN as a comparison"', 'test-deleted'],
  ['Revert "Add a limit" (#12)', 'assertions-removed'],
  ['fix: revert commit 4f33bc4', 'test-deleted'],
  ['Undo the last change of the parser', 'check-changed'],
  ['Rewrite the test suite', 'test-deleted'],
  ['Port the old tests to vitest', 'assertions-removed'],
  ['Remove the cart, its docs and its unit tests', 'test-deleted'],
  ['Drop the old parser together with its tests', 'test-deleted'],
]
test.each(said)('F13: %j says so: %s', (title, kind) => expect(isAllowed(title, kind)).toBe(true))

test.each<[string, TamperKind]>([
  ['Revert the default to 3', 'test-deleted'],
  ['Do not revert the last change', 'test-deleted'],
  ['Revert "Add a limit"', 'test-skipped'],
  ['Add a button that can revert changes', 'test-deleted'],
  ['Rewrite the parser so that its tests pass', 'test-deleted'],
  ['Add a dropdown with tests', 'test-deleted'],
  ['Remove special characters from names', 'test-deleted'],
  ['Remove the banner and add tests', 'test-deleted'],
  ['Allow choosing a city', 'ci-lowered'],
  ['Move the circle', 'ci-lowered'],
  ['Remove the banner. The page is as expected.', 'assertions-removed'],
  ['Add a reducer; test coverage stays', 'threshold-lowered'],
  ['Add a build date to the footer', 'check-changed'],
  ['Disable the button; write a test', 'test-skipped'],
  ['Run only this test', 'test-focused'],
  ['Update the tests', 'test-deleted'],
  ['Make it faster without deleting tests', 'test-deleted'],
  ["Don't skip tests", 'test-skipped'],
  ['Never make a check pass by weakening it: skip tests', 'test-skipped'],
  ['Do not remove any tests', 'test-deleted'],
  ["Don't delete tests", 'test-deleted'],
  ['Make it faster without removing existing tests.', 'test-deleted'],
  ['Existing behavior stays: never delete or skip tests', 'test-deleted'],
  ['Existing behavior stays: never delete or skip tests', 'test-skipped'],
  ['Delete the cache before running tests', 'test-deleted'],
  ['You must not remove tests', 'test-deleted'],
  ['Remove no tests', 'test-deleted'],
  ['Remove none of the tests', 'test-deleted'],
  ['Keep removing tests out of this', 'test-deleted'],
  ['Avoid removing tests', 'test-deleted'],
  ['Removing tests is not allowed', 'test-deleted'],
  ['Removing tests is forbidden', 'test-deleted'],
  ['Fix the code instead of deleting tests', 'test-deleted'],
  ['Do not add, remove or skip tests', 'test-deleted'],
  ['Do not:\n- touch the docs\n- remove tests', 'test-deleted'],
  ['## Non-goals\n\n- Remove tests', 'test-deleted'],
  ['Out of scope: removing tests', 'test-deleted'],
  ['Remove tests under no circumstances', 'test-deleted'],
  ['Fix the tool that deletes tests', 'test-deleted'],
  ['Restore the removed tests', 'test-deleted'],
  ['Remove the test database', 'test-deleted'],
  ['Add a button to delete tests', 'test-deleted'],
  ['Users can delete tests', 'test-deleted'],
  ['If you remove tests, say so', 'test-deleted'],
  ['Delete the build folder, run all tests', 'test-deleted'],
  ['Change the config loader', 'check-changed'],
  ['Add a configuration option for the port', 'check-changed'],
  ['Remove the code under test', 'test-deleted'],
  ['Remove dead code; the tests stay', 'test-deleted'],
  ['It is wrong to lower coverage', 'threshold-lowered'],
  ['Do not update the snapshots', 'snapshots-rewritten'],
  ['Remove the banner and run its tests', 'test-deleted'],
  ['Remove the cache and the tests pass', 'test-deleted'],
  ['Remove the delay, its tests must pass', 'test-deleted'],
  ['Remove the banner and keep its tests', 'test-deleted'],
  ['Remove the delay and its tests stay green', 'test-deleted'],
  ['Do not remove the API and its tests', 'test-deleted'],
  ['Remove the banner, and its test database', 'test-deleted'],
  ['Delete the cart and improve all its tests', 'test-deleted'],
  ['Remove the lag and make its tests faster', 'test-deleted'],
])('F13: %j does not: %s', (title, kind) => expect(isAllowed(title, kind)).toBe(false))

test('F13: a negated request permits nothing', () => {
  const denials = [
    'Do not ',
    "Don't ",
    'Never ',
    'You must not ',
    'It is not okay to ',
    'There is no need to ',
    'Without a word, never ',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(
        ...said.filter(
          ([title]) =>
            /^[A-Z][a-z]*[^g] /.test(title)
            && !/^(?:You|Removal|Please|Keep|Do|This) /.test(title)
            && !title.includes(', then'),
        ),
      ),
      fc.constantFrom(...denials),
      ([title, kind], denial) => {
        expect(isAllowed(denial + title.charAt(0).toLowerCase() + title.slice(1), kind)).toBe(false)
      },
    ),
  )
})

test('F13: each text is read on its own, and another text cannot negate it', () => {
  expect(allows({ description: 'Remove the old tests.', criteria: ['Do not remove the docs'] }, 'test-deleted')).toBe(
    true,
  )
  expect(allows({ description: 'Faster, please.', criteria: ['Do not remove any tests'] }, 'test-deleted')).toBe(false)
})

test.each<[Words, string, boolean]>([
  [{ files: ['check.sh'] }, 'check.sh', true],
  [{ files: ['sum.mjs'] }, 'check.sh', false],
  [{ title: 'Rewrite check.sh' }, 'check.sh', true],
  [{ title: 'Fix `tools/check.mjs`' }, 'tools/check.mjs', true],
  [{ title: 'Fix check.mjs' }, 'tools/check.mjs', true],
  [{ title: 'Add a lint step to check.sh' }, 'check.sh', true],
  [{ title: 'Make check.sh pass' }, 'check.sh', false],
  [{ title: 'Fix what is found by check.sh' }, 'check.sh', false],
  [{ title: 'Do not change check.sh' }, 'check.sh', false],
  [{ files: ['package.json'] }, 'package.json', false],
  [{ files: ['.looper/config.json'], title: 'Update the config' }, '.looper/config.json', false],
  [{ title: 'Change the checks' }, '.looper/config.json', true],
  [{ title: 'Update .looper/config.json' }, '.looper/config.json', true],
])('F13: a task that names a check may change the files that the check runs: %j, %s: %s', (words, file, allowed) =>
  expect(allows(words, 'check-changed', file)).toBe(allowed),
)

test.each<[string, string, boolean]>([
  ['Remove the legacy parser', 'src/legacy-parser.ts', true],
  ['Delete src/legacy-parser.ts', 'src/legacy-parser.ts', true],
  ['Drop the cart module', 'src/cart/index.ts', true],
  ['Remove LegacyParser', 'src/legacyParser.ts', true],
  ['Rewrite the legacy parser', 'src/legacy-parser.ts', false],
  ['Do not remove the legacy parser', 'src/legacy-parser.ts', false],
  ['Remove the parseLegacy function', 'parseLegacy', true],
  ['Remove parse_legacy from text.py', 'parse_legacy', true],
  ['Simplify the parser', 'parseLegacy', false],
  ['Rename parseLegacy', 'parseLegacy', false],
  ['Remove the banner', 'src/legacy-parser.ts', false],
  ['Remove comments from the legacy parser', 'src/legacy-parser.ts', false],
])('F13: a test may be removed with its subject: %j, %s: %s', (title, subject, allowed) => {
  expect(
    unlicensed([title], [{ kind: 'test-deleted', file: 'a.test.ts', test: null, detail: '', subject }]),
  ).toHaveLength(allowed ? 0 : 1)
  expect(
    unlicensed([title], [{ kind: 'test-skipped', file: 'a.test.ts', test: null, detail: '', subject }]),
  ).toHaveLength(1)
})

test.each<[string, string, boolean]>([
  ['Remove `normalizePathname` from the library', 'paths > normalize pathname > should not fix slashes', true],
  ['Remove the legacy parser', 'tests/test_all.py::LegacyParser::test_reads', true],
  ['Keep the legacy parser', 'LegacyParser > reads', false],
  ['Make the legacy parser faster', 'LegacyParser > reads', false],
  ['Remove the banner', 'LegacyParser > reads', false],
])('F13: a test may be removed with the subject of its group: %j, %s: %s', (title, name, allowed) => {
  const found = { kind: 'test-deleted' as const, file: 'a.test.ts', test: name, detail: '' }
  expect(unlicensed([title], [found])).toHaveLength(allowed ? 0 : 1)
})

test('F13: every text is read in bounded steps', () => {
  for (const piece of [
    'remove ',
    'remove the old ',
    'and ',
    'remove and ',
    'not ',
    '- ',
    '"',
    'delete or ',
    'test ',
    'a,',
    '\n',
    ': ',
    'all of ',
    'remove a and its ',
    ', its ',
  ])
    isAllowed(piece.repeat(100_000 / piece.length), 'test-deleted')
}, 600_000)

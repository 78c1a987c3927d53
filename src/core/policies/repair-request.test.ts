import { describe, expect, test } from 'vitest'
import type { PlannedCheck } from './checks.ts'
import { repairRequest } from './repair-request.ts'

const asksForRepair = (text: string, check: Pick<PlannedCheck, 'name' | 'run'>): boolean => repairRequest(check)(text)

const unit = { name: 'unit', run: { shell: 'sh s.sh' } }
const npm = { name: 'test', run: { shell: 'npm run unit' } }
const lint = { name: 'lint', run: { shell: 'npx eslint .' } }

describe('F12: requests to repair the check', () => {
  test.each([
    'Fix the failing tests',
    'make all tests pass',
    'The unit suite is red: mend it',
    'repair unit testing',
    'make the red tests green',
    'make tests succeed',
    'get everything green',
    'resolve the errors in the unit suite',
    'make the build work again',
    'get CI back to normal',
    'Fix unit',
    'Fix the build',
    'the tests do not work, please sort them out',
    'Fix unit test failures',
    'All tests should pass.',
    'Add a page, and make sure that the tests pass',
    'Broken tests',
    'CI is broken',
    'Fix everything',
    'Fix the login and the failing tests',
    'Deal with the failing tests',
    'Get back to green',
    'Turn the red suite green',
    'The build fails on main. Repair it.',
    'Fix the date parser test',
    'keep going until all tests pass',
    'fix all failures',
    'Get the tests to pass again',
    'Tests don’t pass since Monday',
    'Fix the tests, then add a page',
    'Make the lint and the tests pass',
    'fix `unit`',
    'Update the mock to fix the failing tests',
    'Do not touch the docs, but fix the tests',
    'Do not touch the docs. Fix the tests',
    'Keep the API and fix the tests',
    'Keep the tests green',
    'Tests must pass again, the parser broke them',
    'Fix the tests which never pass',
    'Do not stop until all tests pass',
    'Fixing the tests that do not pass',
    'You must get the tests green',
    'The API has no docs and CI is broken',
    'Nothing works: fix the build',
    'All tests must stay green',
    'Add a page; get all tests green',
    'Do not:\n- touch the docs\n\nFix the tests',
  ])('%j', (text) => {
    expect(asksForRepair(text, unit), 'unit').toBe(true)
    expect(asksForRepair(text, npm), 'test').toBe(true)
  })

  test.each([
    'Fix the lint errors',
    'Make the lint and the tests pass',
    'fix linting',
    'Get eslint green',
    'The linter fails',
    'Fix lint',
    'Make CI green',
  ])('of lint: %j', (text) => expect(asksForRepair(text, lint)).toBe(true))
})

describe('F12: other requests', () => {
  test.each([
    'Fix the date parser and add a test',
    'Fix the date parser, add a test',
    'Fix the date parser with a test',
    'Add a login page with tests',
    '',
    'Fix the typo in the footer',
    'run npm and fix it',
    'Fix the test helper',
    'Fix the build script',
    'Repair the CI badge',
    'Fix the unit price',
    'Notify Slack when CI fails',
    'Deploy only if the tests pass',
    'Show how many tests fail',
    'Show which tests are red',
    'Delete the failing tests',
    'Add a test that passes a date',
    'Add a test that fails without the fix',
    'Make the button green',
    'Make the test label green',
    'Fix all typos',
    'Mark red rows in the table of tests',
    'Let the tests pass a seed to the generator',
    'Fix the permission checks',
    'Write tests for the broken parser',
    'Add a passing example to the docs',
    'Fix the crash that the tests found',
    'Skip the failing test',
    'Fix the data pipeline',
    'Test the repaired parser',
    'Make the tests fail on warnings',
    'Fix the parser. Tests are slow.',
    'Resolve paths relative to the root and test it',
    'Print the build time in red',
    'Handle failed logins and test them',
    'Do not fix the tests',
    "Don't fix the tests",
    'Never fix the failing tests',
    'Add caching without fixing the tests',
    'Document how to fix the build',
    'Add a guide to fixing the build',
    'Add caching, tests must still pass',
    'Add caching; tests stay green',
    'Add a page; all tests must pass',
    'Add caching. All tests should pass.',
    'Add caching and make sure that the tests still pass',
    'Add caching and keep the tests green',
    'Fixing the tests is out of scope',
    'Out of scope: fixing the tests',
    'Do not:\n- add pages\n- fix the tests',
    '## Non-goals\n\n- Fix the tests',
    'Do not add, remove or fix tests',
    'Instead of fixing the tests, add a page',
    'There is no need to fix the tests',
    'Add caching and leave all tests passing',
    'Do not: fix the tests',
    'Don’t: fix the tests',
  ])('%j', (text) => {
    expect(asksForRepair(text, unit), 'unit').toBe(false)
    expect(asksForRepair(text, npm), 'test').toBe(false)
  })

  test.each([
    'Fix the failing tests',
    'make tests succeed',
    'Fix the lint-staged hook',
    'Add a lint rule for broken links',
  ])('of lint: %j', (text) => expect(asksForRepair(text, lint)).toBe(false))
})

test('F12: a negated repair request asks for no repair', () => {
  for (const order of [
    'fix the failing tests',
    'repair unit testing',
    'mend the build',
    'resolve the errors in the unit suite',
    'deal with the failing tests',
    'get everything green',
  ])
    for (const denial of [
      'Do not ',
      'Don’t ',
      'Never ',
      'You must not ',
      'There is no need to ',
      'Faster, please. Do not ',
    ])
      expect(asksForRepair(denial + order, unit), denial + order).toBe(false)
})

test('F12: every text is read in bounded steps', () => {
  const pieces = [
    '.',
    ', ',
    'test ',
    'fix ',
    'fix the ',
    'fix test ',
    'not ',
    'the tests ',
    'tests must ',
    'failing ',
    'and ',
    '- ',
    '\n',
    ': ',
    'fix.',
    'tests | ',
    ' - ',
    "'",
    'how to ',
    'fix tests or ',
    'tests pass ',
    'how to fix tests ',
    'make tests pass again ',
  ]
  for (const piece of pieces)
    for (const start of ['', 'fix ']) asksForRepair(`${start}${piece.repeat(100_000 / piece.length)}x`, unit)
}, 600_000)

import { describe, expect, test } from 'vitest'
import { meansToMend } from './mending.ts'

const unit = { name: 'unit', run: { shell: 'sh s.sh' } }
const npm = { name: 'test', run: { shell: 'npm run unit' } }
const lint = { name: 'lint', run: { shell: 'npx eslint .' } }

describe('F12: asked to mend the check', () => {
  test.each([
    'Fix the failing tests', 'make all tests pass', 'The unit suite is red: mend it', 'repair unit testing', 'make the red tests green', 'make tests succeed',
    'get everything green', 'resolve the errors in the unit suite', 'make the build work again', 'get CI back to normal', 'Fix unit', 'Fix the build',
    'the tests do not work, please sort them out', 'Fix unit test failures', 'All tests should pass.', 'Add a page, and make sure that the tests pass',
    'Broken tests', 'CI is broken', 'Fix everything', 'Fix the login and the failing tests', 'Deal with the failing tests', 'Get back to green',
    'Turn the red suite green', 'The build fails on main. Repair it.', 'Fix the date parser test', 'keep going until all tests pass', 'fix all failures',
    'Get the tests to pass again', 'Tests don’t pass since Monday', 'Fix the tests, then add a page', 'Make the lint and the tests pass', 'fix `unit`',
  ])('%j', (text) => {
    expect(meansToMend(text, unit), 'unit').toBe(true)
    expect(meansToMend(text, npm), 'test').toBe(true)
  })

  test.each(['Fix the lint errors', 'Make the lint and the tests pass', 'fix linting', 'Get eslint green', 'The linter fails', 'Fix lint', 'Make CI green'])(
    'of lint: %j', (text) => expect(meansToMend(text, lint)).toBe(true))
})

describe('F12: asked for something else', () => {
  test.each([
    'Fix the date parser and add a test', 'Fix the date parser, add a test', 'Fix the date parser with a test', 'Add a login page with tests', '',
    'Fix the typo in the footer', 'run npm and fix it', 'Fix the test helper', 'Fix the build script', 'Repair the CI badge', 'Fix the unit price',
    'Notify Slack when CI fails', 'Deploy only if the tests pass', 'Show how many tests fail', 'Show which tests are red', 'Delete the failing tests',
    'Add a test that passes a date', 'Add a test that fails without the fix', 'Make the button green', 'Make the test label green', 'Fix all typos',
    'Mark red rows in the table of tests', 'Let the tests pass a seed to the generator', 'Fix the permission checks', 'Write tests for the broken parser',
    'Add a passing example to the docs', 'Fix the crash that the tests found', 'Skip the failing test', 'Fix the data pipeline', 'Test the repaired parser',
    'Make the tests fail on warnings', 'Fix the parser. Tests are slow.', 'Resolve paths relative to the root and test it',
    'Print the build time in red', 'Handle failed logins and test them',
  ])('%j', (text) => {
    expect(meansToMend(text, unit), 'unit').toBe(false)
    expect(meansToMend(text, npm), 'test').toBe(false)
  })

  test.each(['Fix the failing tests', 'make tests succeed', 'Fix the lint-staged hook', 'Add a lint rule for broken links'])(
    'of lint: %j', (text) => expect(meansToMend(text, lint)).toBe(false))
})

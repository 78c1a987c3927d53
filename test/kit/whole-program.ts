/**
 * The tests of `npm run test:program`. Nearly all of them start the built program in a real repository, kill it or
 * sweep through many worlds, and together they take longer than all others. `npm test` runs the others; CI runs both.
 */

/** How the paths of these tests begin. */
export const wholeProgram = [
  'test/e2e/',
  'test/crash/',
  'test/first-hour/',
  'test/fuzz/',
  'test/purposes/',
  'test/bench/',
  'src/simulation/more-worlds',
  'src/workspace/killed-git',
]

export const globs = wholeProgram.map((start) => (start.endsWith('/') ? `${start}**/*.test.ts` : `${start}*.test.ts`))

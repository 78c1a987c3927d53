import { expect, test } from 'vitest'
import { causeLine, endsInCondition } from './preflight.ts'

test.each([
  'test -f a.txt',
  '[ -s a.txt ]',
  '! grep -q TODO src/a.ts',
  'npm run build && test -d dist',
  'grep -q good a.txt || { echo "Error: not good"; exit 1; }',
  'cmp a b || (echo differ; exit 1)',
])('%s is a condition', (command) => expect(endsInCondition(command)).toBe(true))

test.each([
  'npm test',
  'grep -q x a && npm test',
  'npm test || { echo red; exit 1; }',
  'npm run ls',
  'pytest | tee log',
])('%s is none', (command) => expect(endsInCondition(command)).toBe(false))

test.each([
  ["make: *** No rule to make target 'lint'.  Stop.", 'lint', 'target lint'],
  ['npm error Missing script: "lint"', 'lint', 'script lint'],
  ["Task 'lint' not found in root project 'x'.", 'lint', 'task lint'],
  ['error: Justfile does not contain recipe `lint`', 'lint', 'recipe lint'],
  ['error: could not find `Cargo.toml` in `/task` or any parent directory', 'Cargo.toml', 'Cargo.toml'],
  ['there is no POM in this directory', 'pom.xml', 'pom.xml'],
])('%s: the cause names the kind of thing that is missing', (line, subject, missing) =>
  expect(causeLine({ kind: 'target', subject, line })).toBe(`the project has no ${missing}`),
)

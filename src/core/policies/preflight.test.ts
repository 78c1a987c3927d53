import { expect, test } from 'vitest'
import { endsInCondition } from './preflight.ts'

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

/** Honest agents whose work is green where they made it, and not in a clone: it is not done, and they are told why. */
import { test, vi } from 'vitest'
import { addMul, playCase, product, type HostileCase } from '../kit/hostile.ts'

vi.setConfig({ testTimeout: 300_000 })

const ignoring = { ...product, '.gitignore': 'gen/\n' }

const cases: HostileCase[] = [
  {
    name: 'a module that .gitignore ignores', files: ignoring, coder: addMul('gen/mul.mjs'), expected: 'failed',
    told: '`gen/mul.mjs` is ignored by `.gitignore:1` and will not land',
  },
]

test.each(cases)('$name', async (hostile) => void (await playCase(hostile)))

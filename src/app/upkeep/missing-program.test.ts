import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/repository.ts'
import type { ProgramSearch } from '../prepare/locate-agent.ts'
import { missingProgram } from './missing-program.ts'

function makePlace(): ProgramSearch {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'here'), '#!/bin/sh\n')
  chmodSync(join(folder, 'here'), 0o755)
  return { root: folder, path: folder, isTracked: async () => false }
}

const cases: [line: string, missing: string | null][] = [
  ['here', null],
  ['gone', 'gone'],
  ['gone --all', 'gone'],
  ['CI=1 here', null],
  ['CI=1 gone', 'gone'],
  ['here && gone', 'gone'],
  ['here | gone', 'gone'],
  ['cd sub && gone test', 'gone'],
  ['cd sub && here', null],
  ['true', null],
  ['here 2>&1 | tee log', null],
  ['test -f a', null],
  ['! gone', null],
  ['./gone.sh', null],
  ['node_modules/.bin/gone', null],
  ['if gone; then here; fi', null],
  ['export PATH=/x; gone', null],
  ['. ./env; gone', null],
  ['f() { here; }; f', null],
  ['here "a && gone"', null],
  ['gone "a"', 'gone'],
  ['$PROGRAM', null],
  ['"gone"', null],
  ['', null],
]

test.each(cases)('%s: %s', async (line, missing) => expect(await missingProgram(line, makePlace())).toBe(missing))

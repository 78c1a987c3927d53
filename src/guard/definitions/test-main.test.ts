import { expect, test } from 'vitest'
import { compareTestMain } from './test-main.ts'

const main = (body: string): string => `package a\n\nfunc TestMain(m *testing.M) {\n\t${body}\n}\n`

test.each([
  ['exits with 0', null, main('m.Run()\n\tos.Exit(0)'), 1],
  ['exits with 0 now', main('os.Exit(m.Run())'), main('m.Run(); os.Exit( 0 )'), 1],
  ['exits with the result', null, main('os.Exit(m.Run())'), 0],
  ['lets the runner exit', null, main('m.Run()'), 0],
  ['was that way before', main('m.Run()\n\tos.Exit(0)'), main('m.Run()\n\tos.Exit(0)\n\t// x'), 0],
])('a TestMain that %s', (_what, before, after, found) => {
  expect(compareTestMain([{ path: 'a/main_test.go', before, after }])).toHaveLength(found)
})

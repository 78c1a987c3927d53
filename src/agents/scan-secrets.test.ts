import { expect, test } from 'vitest'
import { createMask } from './mask.ts'
import { createSecretScan } from './scan-secrets.ts'

const mask = createMask({ MY_TOKEN: 'hunter2-hunter2', DATABASE_URL: 'postgres://app:s3cr3t-pw@db/app' }, [])
const scan = createSecretScan(mask, '001-demo') ?? (() => [])

test('names the file, the line and the variable, and never the value', () => {
  const basic = Buffer.from('app:s3cr3t-pw').toString('base64')
  const found = scan([
    { path: 'src/a.js', before: 'one\n', after: 'one\ntwo hunter2-hunter2\n\nhunter2-hunter2 hunter2-hunter2\n' },
    { path: 'b.txt', before: null, after: `Authorization: Basic ${basic}` },
    { path: 'fine.txt', before: null, after: 'nothing here' },
    { path: 'gone.txt', before: 'hunter2-hunter2', after: null },
  ])
  expect(found).toEqual([
    { file: 'src/a.js', line: 2, name: 'MY_TOKEN' },
    { file: 'src/a.js', line: 4, name: 'MY_TOKEN' },
    { file: 'b.txt', line: 1, name: 'DATABASE_URL' },
  ])
  expect(mask(JSON.stringify(found))).toBe(JSON.stringify(found))
})

test('a value that the file held before is no new leak; another one in it is', () => {
  const before = 'url: postgres://app:s3cr3t-pw@db/app\n'
  expect(scan([{ path: 'a.yml', before, after: `# moved\n${before}` }])).toEqual([])
  expect(scan([{ path: 'a.yml', before, after: `${before}token: hunter2-hunter2\n` }])).toEqual([
    { file: 'a.yml', line: 2, name: 'MY_TOKEN' },
  ])
})

test('the name of a file may hold one, too', () => {
  expect(scan([{ path: 'hunter2-hunter2.txt', before: null, after: '' }])).toEqual([
    { file: 'hunter2-hunter2.txt', line: 0, name: 'MY_TOKEN' },
  ])
})

test('without secrets there is nothing to look for', () => {
  expect(createSecretScan(createMask({}, []), null)).toBeNull()
})

test('the path of a workspace of the run is found, unless the file had it before', () => {
  const at = '/home/me/.cache/looper/workspaces/0123456789abcdef/001-demo/w2/lib/mul.mjs'
  expect(
    scan([{ path: 'test/mul.mjs', before: null, after: `import a from 'a'\nimport { mul } from '${at}'\n` }]),
  ).toEqual([{ file: 'test/mul.mjs', line: 2, name: null }])
  expect(
    scan([
      { path: 'a', before: at, after: `${at} and more` },
      { path: 'b', before: null, after: at.replace('001-demo', '002-other') },
    ]),
  ).toEqual([])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { ancestorsIn, markedAncestor } from './lineage.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'looper-lineage-')))
afterAll(() => rmSync(folder, { recursive: true }))

const root = resolve(import.meta.dirname, '../..')
const program = join(folder, 'ask.mjs')
const ask = join(folder, 'ask')
writeFileSync(
  program,
  `import { markedAncestor, turnStream } from ${JSON.stringify(join(import.meta.dirname, 'lineage.ts'))}
console.log(markedAncestor() !== null, turnStream() !== null)
`,
)
/** A script that prints what its process detects about itself. */
writeFileSync(
  ask,
  `#!/bin/sh\nexec '${process.execPath}' --import '${join(root, 'scripts/strip-types.js')}' '${program}'\n`,
  { mode: 0o755 },
)

async function said(script: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', ASK: ask }
  const child = spawn('sh', ['-c', script], { env, cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const [words] = await Promise.all([text(child.stdout), once(child, 'close')])
  return words.trim()
}

const marked = (script: string): string => `LOOPER_MARK=k:T001:1 sh -c '${script}; true'`

describe.runIf(process.platform === 'linux')('a process', () => {
  test.each([
    ['of no run', '$ASK; true', 'false false'],
    ['with a mark of its own', 'LOOPER_MARK=k:T001:1 $ASK', 'true false'],
    ['that a marked one started', marked('$ASK'), 'true false'],
    ['that cleared its environment', marked('env -i $ASK'), 'true false'],
    ['that also has a session of its own', marked('env -i setsid -w $ASK'), 'true false'],
    ['with a variable that only ends like the mark', 'NO_LOOPER_MARK=k:T001:1 $ASK', 'false false'],
  ])('%s', async (_, script, words) => {
    expect(await said(script)).toBe(words)
  })

  test('that left its parents is known by the file that it prints to', async () => {
    const turn = join(folder, '.looper', 'runs', '001-x', 'turns', 'T001')
    mkdirSync(turn, { recursive: true })
    await said(`$ASK > '${turn}/stream.jsonl'`)
    expect(readFileSync(join(turn, 'stream.jsonl'), 'utf8')).toBe('false true\n')
  })
})

test('a pid that does not exist has no ancestors', () => {
  expect(markedAncestor(2 ** 30)).toBeNull()
})

test('ancestors as ps reports them, circles and gaps included', () => {
  const text = '    1     0\n  10     1\n 11    10\n 12    11\n 20 21\n 21 20\n'
  expect(ancestorsIn(text, 12)).toEqual([12, 11, 10, 1])
  expect(ancestorsIn(text, 20)).toEqual([20, 21])
  expect(ancestorsIn('', 7)).toEqual([7])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { hostileText } from '../../../../test/kit/runs.ts'
import { wordsFrom, type Shell } from './shells.ts'

const tasks = [
  { value: 'T001', about: 'done: one' },
  { value: 'T002', about: hostileText },
]
const ask = async (shell: Shell, words: string[], options: Parameters<typeof call>[1] = {}) =>
  call(['__complete', shell, ...words], { candidates: tasks, ...options })

describe('D10: the answer to a shell', () => {
  test("a candidate a line, agents' words made plain", async () => {
    const { code, stdout, stderr, app } = await ask('fish', ['task', 'retry', 'T'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe('T001\tdone: one\nT002\tnice FAKE ✓ done\n')
    expect(app?.asked.other).toEqual([['candidates', 'task', null]])
  })

  test.each<[Shell, string[], string]>([
    ['zsh', ['run', '--agent=T'], '--agent=T001\tdone: one\n--agent=T002'],
    // Bash splits the word and replaces only its end.
    ['bash', ['run', '--agent', '=', 'T'], 'T001\tdone: one\nT002'],
    ['bash', ['run', '--agent', '='], 'T001\tdone: one\nT002'],
    ['bash', ['run', '--agent=T'], '--agent=T001\tdone: one\n--agent=T002'],
    ['bash', ['logs', '--type', '=', 'message,su'], 'message,summary\n'],
    ['powershell', ['task', 'retry', '+'], 'T001\tdone: one\nT002'],
    ['powershell', ['+stat'], 'status\t'],
    ['powershell', ['+'], 'run\t'],
    ['fish', ['run', '--rotation', 'T001,'], 'T001,T002'],
    ['fish', ['run', '--goal-file', ''], ':files\n'],
    ['fish', ['-C', ''], ':folders\n'],
    ['fish', [], 'run\t'],
    ['bash', [], 'run\t'],
  ])('%s %j', async (shell, words, beginning) => {
    expect((await ask(shell, words)).stdout.startsWith(beginning)).toBe(true)
  })

  test('names are looked up where the line says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'looper-complete-'))
    try {
      const io = (): ReturnType<typeof terminal> => terminal({ env: { HOME: folder } })
      expect((await ask('fish', ['-C', folder, 'status', ''], { io: io() })).app?.asked.cwd).toBe(folder)
      expect((await ask('fish', ['-C', '~', 'status', ''], { io: io() })).app?.asked.cwd).toBe(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('it fails in silence', async () => {
    const candidates = async (): Promise<never> => {
      throw new Error('no repository')
    }
    expect(await ask('bash', ['status', ''], { candidates })).toMatchObject({ code: 1, stdout: '', stderr: '' })
    expect(await ask('bash', ['-C', '/no/such/folder', 'status', ''])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: '',
    })
    expect(await call(['__complete', 'tcsh', ''])).toMatchObject({ code: 2, stdout: '', stderr: '' })
    expect(await call(['__complete'])).toMatchObject({ code: 2, stdout: '', stderr: '' })
  })

  test('it is hidden from help', async () => {
    expect((await call(['--help'])).stdout).not.toContain('__complete')
    expect((await call(['__complete', 'bash', ''])).stdout).not.toContain('__complete')
  })
})

test.each<[string[], string[], boolean]>([
  [['run', '--a', '=', 'b'], ['run', '--a=b'], true],
  [['run', '--a', '='], ['run', '--a='], true],
  [['run', '--a', '=', 'b', 'c'], ['run', '--a=b', 'c'], false],
  [['run', '--a', '=', 'b', '=', 'c'], ['run', '--a=b', '=', 'c'], false],
  [['=', 'x'], ['=', 'x'], false],
  [['run', 'x', '='], ['run', 'x', '='], false],
  [[], [''], false],
])('bash reports %j', (told, words, isBare) => expect(wordsFrom('bash', told)).toEqual({ words, isBare }))

test('completion prints the script of each shell', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    expect(await call(['completion', shell])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`looper __complete ${shell} `) as string,
      stderr: '',
    })
  }
  expect(await call(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('bash, zsh, fish, powershell') as string,
  })
})

/** Brackets and quotes that PowerShell would find unclosed at the end. */
function leftOpen(script: string): string[] {
  const pairs: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' }
  const open: string[] = []
  for (const [token] of script.matchAll(/#[^\n]*|"(?:`.|[^"`])*"|'[^']*'|[(){}[\]"']/gs)) {
    const closing = pairs[token]
    if (closing !== undefined) open.push(closing)
    else if (token === open.at(-1)) open.pop()
    else if (token.length === 1) open.push(`${token} too much`)
  }
  return open
}

test('D10: the script for PowerShell is whole and has the form of a native completer', async () => {
  const { stdout } = await call(['completion', 'powershell'])
  expect(leftOpen(stdout)).toEqual([])
  for (const part of ['{ -not', "':'", '"$_"', '[System'])
    expect(leftOpen(stdout.replace(part, part.slice(1)))).not.toEqual([])
  expect(stdout).toMatch(
    /^#.*\n#.*\nRegister-ArgumentCompleter -Native -CommandName looper -ScriptBlock \{\n +param\([^)]*\)\n[^]*\n\}\n$/,
  )
  expect(stdout).toContain('{\n    param($wordToComplete, $commandAst, $cursorPosition)\n')
  // Each line of the answer becomes a result, except directives for other shells.
  expect(stdout).toContain("Where-Object { -not $_.StartsWith(':') }")
  expect(stdout).toMatch(
    /\[System\.Management\.Automation\.CompletionResult\]::new\(\$value, \$value, 'ParameterValue', \$about\)/,
  )
})

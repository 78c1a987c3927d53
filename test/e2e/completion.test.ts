/** D10: real shells complete commands, flags and names with what Looper tells them, and it tells them fast. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cooperative, createProject, type Project } from '../kit/project.ts'
import { follow } from '../kit/live.ts'

const program = resolve(import.meta.dirname, '../../bin/looper.js')
const planning = cooperative.replace("title: 'one'", "title: 'one $(touch pwned) `touch pwned`'")

let project: Project
let bin: string
beforeAll(async () => {
  project = createProject({ agent: planning, config: { review: false }, files: { 'docs/goal.md': 'x\n' } })
  bin = join(project.notes, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'looper'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(join(bin, 'looper'), 0o755)
  expect((await project.looper('run', 'make two files')).code).toBe(0)
})
afterAll(() => project.remove())

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The script as it is printed, run in the shell itself; the words of a line, the last one under the cursor. */
const askers: Record<string, (script: string, words: readonly string[]) => readonly string[]> = {
  bash: (script, words) => [
    'bash',
    '--norc',
    '-c',
    `source "$1"; shift; COMP_WORDS=(looper "$@"); COMP_CWORD=$#; COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
    complete -p looper >/dev/null && _looper; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    script,
    ...words,
  ],
  // The functions of its completion system, as far as they are asked.
  zsh: (script, words) => [
    'zsh',
    '-f',
    '-c',
    `compdef() { [[ $1 == _looper && $2 == looper ]] || exit 9 }; _describe() { print -rl -- "\${(@)described%%:*}" }; _files() { print -rl -- \${PREFIX}*(N) }
    source "$1"; shift; words=(looper "$@"); CURRENT=$#words; PREFIX=\${words[-1]}; _looper; true`,
    'zsh',
    script,
    ...words,
  ],
  fish: (script, words) => [
    'fish',
    '--no-config',
    '-c',
    `source ${script}; complete -C "looper ${words.join(' ')}" | string replace -r '\\t.*' ''; true`,
  ],
}

describe.each(Object.keys(askers).filter(isInstalled))('D10: %s', (shell) => {
  const answers = (...words: string[]): string[] => {
    const script = join(project.notes, `completion.${shell}`)
    writeFileSync(script, execFileSync(join(bin, 'looper'), ['completion', shell]))
    const [name = '', ...args] = askers[shell]?.(script, words) ?? []
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, HOME: project.notes }
    return execFileSync(name, args, { cwd: project.root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
      .split('\n')
      .filter((line) => line !== '')
  }

  test.each<[string[], string[]]>([
    [['stat'], ['status', 'stats']],
    [
      ['task', ''],
      ['add', 'retry', 'skip'],
    ],
    [['run', '--sched'], ['--schedule']],
    [['status', ''], ['001-make-two-files']],
    [
      ['task', 'retry', ''],
      ['T001', 'T002'],
    ],
    [
      ['task', 'retry', '--run', '1', 'T'],
      ['T001', 'T002'],
    ],
    [['run', '--agent', 'te'], ['test']],
    [['completion', 'f'], ['fish']],
    [['logs', '--type', 'message,su'], ['message,summary']],
    [['refine', 'd'], ['deep']],
    [['lint', 'p'], ['pipeline']],
    [['ls', '--status', 'b'], ['blocked']],
    [['import', 'do'], ['docs']],
    [['run', '--workflow', 'b'], ['backlog']],
    [['run', '--workflow', 'full'], ['full-refine']],
    [['lint', 'stage', 'idea'], ['idea-wizard']],
    [['zzz', '--dry'], ['--dry-run']],
    [['status', 'nothing-like-it'], []],
  ])('looper %j', (words, expected) =>
    expect(answers(...words).map((word) => word.replace(/\/$/, ''))).toEqual(expected),
  )

  test('files and folders are left to the shell', () => {
    expect(answers('run', '--goal-file', 'do').map((path) => path.replace(/\/$/, ''))).toEqual(['docs'])
  })

  test('--agent=value', () => {
    if (shell === 'bash') expect(answers('run', '--agent', '=', 'te')).toEqual(['test'])
    else expect(answers('run', '--agent=te')).toEqual(['--agent=test'])
  })

  test('nothing that agents wrote is ever run', () => {
    expect(answers('task', 'retry', 'T')).toEqual(['T001', 'T002'])
    expect(readdirSync(project.root).toSorted()).toEqual(['.git', '.looper', 'README.md', 'docs'])
  })
})

describe('D10: completing is as light as looking', () => {
  const loadedBy = async (...args: string[]): Promise<string[]> => {
    const hook = join(project.notes, 'loaded.cjs')
    writeFileSync(
      hook,
      `process.on('exit', () => process.stderr.write(Object.keys(require.cache).map((file) => require('node:path').basename(file).replace(/-[\\w-]{8}\\.cjs$/, '')).join(' ')))`,
    )
    const { code, stdout, stderr } = await follow(project.startThrough(['--require', hook], {}, ...args)).ended
    expect(code).toBe(0)
    expect(stdout).not.toBe('')
    return stderr.split(' ').slice(2)
  }

  test('names of runs and tasks, commands and flags load neither schemas nor the engine', async () => {
    const looking = await loadedBy('status')
    for (const words of [['status', ''], ['task', 'retry', ''], ['sta'], ['run', '--sched']]) {
      const more = (await loadedBy('__complete', 'bash', ...words)).filter((name) => !looking.includes(name))
      expect(more).toEqual(['completing'])
    }
  })
})

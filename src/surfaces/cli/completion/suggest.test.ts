import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/kit/cli.ts'
import { memoryApp, memoryLooper } from '../../../../test/kit/memory-app.ts'
import { completedRun } from '../../../../test/kit/runs.ts'
import { catalog } from '../catalog.ts'
import { describeCommands } from './describe.ts'
import { suggest } from './suggest.ts'
import type { CommandRow } from './table.ts'

let table: CommandRow[]
beforeAll(async () => {
  table = await describeCommands(memoryLooper(() => memoryApp(completedRun())))
})

const line = (text: string) => suggest(table, text.split(' '))
/** The candidates for the last word. */
const offered = (text: string): string[] => {
  const { kept, typed, candidates } = line(text)
  return candidates.filter(({ value }) => value.startsWith(typed)).map(({ value }) => kept + value)
}

describe("D10: the table is made of the commands' own definitions", () => {
  test('every command with every option that its help shows', async () => {
    expect(table.map(({ name, about }) => [name, about])).toEqual(catalog.map(({ name, summary }) => [name, summary]))
    for (const { name } of catalog) {
      const { stdout } = await call([...name.split(' '), '--help'])
      const shown = [...stdout.matchAll(/^ {2}(?:(-\w)(?:, )?)?(--[\w-]+)?/gm)]
        .flatMap(([, short, long]) => [short, long])
        .filter((each) => each !== undefined)
      expect(shown).toContain('--help')
      expect(
        table
          .find((row) => row.name === name)
          ?.options.flatMap(({ names }) => names)
          .toSorted(),
      ).toEqual(shown.toSorted())
    }
  })

  test('the built table is the table of the source', () => {
    const built: unknown = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../../../dist/completion.json'), 'utf8'),
    )
    expect(built).toEqual(table)
  })
})

describe('D10: commands and flags', () => {
  test('the first word is any command, with a line about it', () => {
    const first = new Set(catalog.map(({ name }) => name.split(' ')[0]))
    expect(new Set(offered(''))).toEqual(first)
    expect(line('').candidates.find(({ value }) => value === 'status')?.about).toBe(
      'show the status of a run and the next steps',
    )
    expect(line('').candidates.find(({ value }) => value === 'task')?.about).toBe('add, retry, skip')
  })

  test.each([
    ['stat', ['status', 'stats']],
    ['task ', ['add', 'retry', 'skip']],
    ['task re', ['retry']],
    ['help sta', ['status', 'stats']],
    ['-C /x stat', ['status', 'stats']],
    ['--debug stat', ['status', 'stats']],
    ['-C/x stat', ['status', 'stats']],
    ['--no', ['--no-color']],
    ['status --j', ['--json']],
    ['status --json --j', []],
    ['tail -f --fol', []],
    ['tail --', ['--follow', '--lines', '--task', '--type', '--json', '--debug', '--no-color', '--help']],
    ['run --no-rev', ['--no-review']],
    ['add-a-thing --dry', ['--dry-run']],
    ['run --check x --check', ['--checks-parallel', '--check', '--check-reruns']],
    ['runs ', ['--json', '-C', '--debug', '--no-color', '--help']],
    ['runs -', ['--json', '-C', '--debug', '--no-color', '-h', '--help']],
    ['config ', ['get', 'set', 'path']],
    ['config --j', ['--json']],
    ['config get --j', ['--json']],
    ['run -- --dry', []],
    ['status a --', ['--json', '--debug', '--no-color', '--help']],
  ])('looper %s', (text, expected) => expect(offered(text)).toEqual(expected))
})

describe('D10: values', () => {
  test.each([
    ['run --schedule ', ['single', 'odd-even', 'round-robin']],
    ['run --schedule o', ['odd-even']],
    ['run --schedule=o', ['--schedule=odd-even']],
    ['run --nothing=o', []],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['logs --type ', ['message', 'tool_use', 'command', 'error', 'summary']],
    ['refine ', ['quick', 'full', 'deep']],
    ['refine d', ['deep']],
    ['lint ', ['loop', 'stage', 'pipeline']],
    ['release m', ['major', 'minor']],
    ['push m', ['major', 'minor']],
    ['ls --status ', ['done', 'failed', 'doing', 'todo', 'blocked', 'split', 'cancelled']],
    ['ls --status=bl', ['--status=blocked']],
    ['run --workflow ', ['supervised', 'converge', 'backlog', 'meta']],
    ['run --source ', ['todo-file', 'beads', 'claude-tasks']],
    [
      'import --',
      ['--beads', '--claude', '--label', '--into', '--dry-run', '--json', '--debug', '--no-color', '--help'],
    ],
    ['logs --type message,co', ['message,command']],
    ['tail --type=message,task.fin', ['--type=message,task.finished']],
  ])('looper %s: words that are known', (text, expected) => expect(offered(text)).toEqual(expected))

  test.each<[string, object]>([
    ['status ', { source: 'run', typed: '', run: null }],
    ['status 00', { source: 'run', typed: '00' }],
    ['resume ', { source: 'run' }],
    ['stats 1 ', { source: 'run' }],
    ['stop ', { source: 'run' }],
    ['task retry ', { source: 'task', run: null }],
    ['task retry --run 3 ', { source: 'task', run: '3' }],
    ['task retry --run=3 ', { source: 'task', run: '3' }],
    ['task add x --after ', { source: 'task' }],
    ['logs 3 --task ', { source: 'task', run: '3' }],
    ['fork 3 --at ', { source: 'task', run: '3' }],
    ['answer ', { source: 'question' }],
    ['answer --run ', { source: 'run' }],
    ['run --agent ', { source: 'agent' }],
    ['run --agent=c', { source: 'agent', kept: '--agent=', typed: 'c' }],
    ['run --rotation a,', { source: 'agent', kept: 'a,', typed: '' }],
    ['run --rotation=a,b', { source: 'agent', kept: '--rotation=a,', typed: 'b' }],
    ['run --goal-file ', { source: 'file' }],
    ['-C ', { source: 'folder' }],
    ['status -C ', { source: 'folder' }],
    ['-C there status ', { source: 'run', folder: 'there' }],
    ['status -C there ', { source: 'run', folder: 'there' }],
    ['config get ', { source: 'key' }],
    ['config set ', { source: 'key' }],
    ['work ', { source: 'session' }],
    ['pipeline run ', { source: 'pipeline' }],
    ['pipeline run x ', { source: 'session' }],
    ['run --workflow b', { source: 'pipeline', typed: 'b' }],
    ['lint stage ', { source: 'pipeline' }],
    ['pipeline lint ', { source: 'pipeline' }],
    ['pipeline dry-run ', { source: 'pipeline' }],
    ['refine deep ', { source: 'session' }],
    ['ideate 3 ', { source: 'session' }],
    ['import ', { source: 'file' }],
    ['import --into ', { source: 'file' }],
    ['import --claude ', { source: 'list' }],
    ['run --backlog ', { source: 'file' }],
    ['run ', { source: null, candidates: [] }],
    ['answer Q1 ', { source: null, candidates: [] }],
    ['run --cost-usd ', { source: null, candidates: [] }],
  ])('looper %s: names to look up', (text, expected) => expect(line(text)).toMatchObject(expected))

  test('it answers every input', () => {
    for (const words of [
      [],
      [''],
      ['--'],
      ['=', '='],
      ['status', '--=', '-'],
      ['task', 'nonsense', ''],
      ['-C'],
      ['a b', '-x', '--y=z', ''],
    ])
      expect(suggest(table, words)).toBeDefined()
    expect(suggest([], ['x', ''])).toMatchObject({ candidates: [], source: null })
  })
})

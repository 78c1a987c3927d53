import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, type Repository } from '../../../test/kit/repository.ts'
import { merge, ready } from '../../../test/kit/steps.ts'

type Hand = (at: Repository, sides: { onto: string; theirs: string }) => void

const writes =
  (path: string, text: string): Hand =>
  (at) =>
    at.write(path, text)
const removes =
  (...paths: string[]): Hand =>
  (at) => {
    for (const path of paths) rmSync(join(at.root, path), { recursive: true, force: true })
  }
const edits =
  (path: string, edit: (text: string) => string): Hand =>
  (at) =>
    writeFileSync(join(at.root, path), edit(at.read(path)))
const links =
  (path: string, to: string): Hand =>
  (at) =>
    symlinkSync(to, join(at.root, path))
const all =
  (...hands: Hand[]): Hand =>
  (at, sides) => {
    for (const hand of hands) hand(at, sides)
  }
const nothing: Hand = () => {}

type Case = [name: string, resolve: Hand, expected: string[]]

/**
 * Two tasks start from `files`. `landed` lands first, then `own` is merged, and its conflict is resolved in several
 * ways.
 */
async function judge(files: Record<string, string>, landed: Hand, own: Hand, cases: readonly Case[]): Promise<void> {
  const repository = makeRepository(files)
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  const none = { onto: '', theirs: '' }
  landed(at('T001'), none)
  own(at('T002'), none)
  await merge(worktrees, 'T001', base)
  const conflict = await merge(worktrees, 'T002', base)
  if (conflict.status !== 'conflict' || conflict.theirs === undefined) throw new Error(conflict.status)
  const { onto, theirs, tree } = conflict
  for (const [name, resolve, expected] of cases) {
    resolve(at('T002'), { onto, theirs })
    const looked = await worktrees.inspect({
      kind: 'inspect',
      id: 'T002/a1/inspect1',
      workspace: 'T002',
      base: onto,
      restore: null,
      resolves: { theirs, tree },
    })
    expect(
      looked.unresolved?.map(({ file, why }) => `${why} ${file.replace(/~\w+$/, '~')}`),
      name,
    ).toEqual(expected)
    await worktrees.restore('T002', tree)
  }
}

const lines = (...text: string[]): string => `${text.join('\n')}\n`
const isMarker = (line: string): boolean => /^(<{5}|={5}|>{5}|\|{5})/.test(line)
const markersOf = (change: (line: string) => string | null): Hand =>
  edits('a.txt', (text) =>
    text
      .split('\n')
      .map((line) => (isMarker(line) ? change(line) : line))
      .filter((line) => line !== null)
      .join('\n'),
  )
/** Replaces each conflict with the picked lines; the landed side comes first. */
const settle = (pick: (landed: string, own: string, n: number) => string): Hand =>
  edits('a.txt', (text) => {
    let n = 0
    return text.replace(
      /^<{5,} .*\n([^]*?)^\|{5,} .*\n[^]*?^={5,}\n([^]*?)^>{5,} .*\n/gm,
      (_, landed: string, own: string) => pick(landed, own, n++),
    )
  })

const before = lines('1', '2', '3')
const one = [
  { 'a.txt': before },
  writes('a.txt', lines('1', 'landed', '3')),
  writes('a.txt', lines('1', 'own', '3')),
] as const
const short = [{ 'a.txt': before, '.gitattributes': '*.txt conflict-marker-size=5\n' }, one[1], one[2]] as const
const rows = Array.from({ length: 9 }, (_, n) => `row ${n}`)
const row = (changes: Record<number, string>): string => lines(...rows.map((text, n) => changes[n] ?? text))
/** Two conflicts, and one further change on each side. */
const two = [
  { 'a.txt': row({}) },
  writes('a.txt', row({ 0: 'landed 0', 3: 'landed', 8: 'landed' })),
  writes('a.txt', row({ 3: 'own', 5: 'own 5', 8: 'own' })),
] as const

test('text', () =>
  judge(...one, [
    ['nothing done', nothing, ['markers a.txt']],
    ['a rule of equals signs left', markersOf((line) => (line.startsWith('=') ? line : null)), ['markers a.txt']],
    [
      'a rule of equals signs left, and a line of its own below',
      all(
        markersOf((line) => (line.startsWith('=') ? line : null)),
        edits('a.txt', (text) => `${text}4\n`),
      ),
      ['markers a.txt'],
    ],
    [
      'a rule of equals signs left between empty lines',
      settle((landed, own) => `${landed}\n=======\n\n${own}`),
      ['markers a.txt'],
    ],
    ['a heading', settle((landed, own) => `${landed}${own}Convert\n=======\n`), []],
    [
      'a heading and a rule that is left',
      settle((landed, own) => `Convert\n=======\n${landed}=======\n${own}`),
      ['markers a.txt'],
    ],
    [
      'a heading elsewhere',
      all(
        settle((landed, own) => landed + own),
        writes('b.md', 'Convert\n=======\n'),
      ),
      [],
    ],
    [
      'a conflict elsewhere',
      all(
        settle((landed, own) => landed + own),
        writes('b.md', '<<<<<<<\na\n=======\nb\n'),
      ),
      ['markers b.md'],
    ],
    ['markers without a label', markersOf((line) => line.split(' ')[0]!), ['markers a.txt']],
    ['markers indented', markersOf((line) => ` ${line}`), ['markers a.txt']],
    [
      'markers moved elsewhere',
      all(
        edits('a.txt', () => lines('1', 'landed', 'own', '3')),
        writes('b.txt', '<<<<<<< x\n'),
      ),
      ['markers b.txt'],
    ],
    ['only the own side', settle((_, own) => own), ['one-side a.txt']],
    ['only the landed side', settle((landed) => landed), ['one-side a.txt']],
    ['neither side', settle(() => '2\n'), ['one-side a.txt']],
    ['the file removed', removes('a.txt'), ['one-side a.txt']],
    ['both sides', settle((landed, own) => landed + own), []],
    ['both sides in one', settle(() => 'landed and own\n'), []],
  ]))

test('a file that is too long to be read', () => {
  const long = `${'x'.repeat(17 * 1024 * 1024)}\n`
  return judge({ 'a.txt': long + before }, writes('a.txt', `${long}landed\n`), writes('a.txt', `${long}own\n`), [
    ['nothing done', nothing, ['markers a.txt']],
    ['the own side', writes('a.txt', `${long}own\n`), ['one-side a.txt']],
    ['both sides', writes('a.txt', `${long}landed\nown\n`), []],
  ])
})

test('markers of another size', () =>
  judge(...short, [
    ['nothing done', nothing, ['markers a.txt']],
    ['one end left', markersOf((line) => (line.startsWith('<') ? line : null)), ['markers a.txt']],
    ['both sides', settle((landed, own) => landed + own), []],
  ]))

test('two conflicts in a file that both changed elsewhere as well', () =>
  judge(...two, [
    ['the own side of each', settle((_, own) => own), ['one-side a.txt']],
    ['one side of each', settle((landed, own, n) => (n === 0 ? landed : own)), ['one-side a.txt']],
    ['one of them brought together', settle((landed, own, n) => (n === 0 ? landed + own : own)), []],
  ]))

const example = (...labels: string[]): string =>
  lines('About git', ...labels.flatMap((label) => [`<<<<<<< ${label}`, 'a', '=======', 'b', '>>>>>>> x']))
const about = [
  { 'a.txt': example('old') },
  writes('a.txt', example('old', 'landed')),
  writes('a.txt', example('old', 'own')),
] as const

test('a text about markers', () =>
  judge(...about, [
    ['the examples of both', writes('a.txt', example('old', 'landed', 'own')), []],
    [
      'an example for real markers',
      edits('a.txt', (text) => text.replace('<<<<<<< old\na\n=======\nb\n>>>>>>> x\n', '')),
      ['markers a.txt'],
    ],
  ]))

test('markers that a side brought with a file that is not in conflict', () =>
  judge(one[0], one[1], all(one[2], writes('git.md', example('own'))), [
    ['are no news', settle((landed, own) => landed + own), []],
  ]))

test('binary files', () =>
  judge({ b: '\0old' }, writes('b', '\0landed'), writes('b', '\0own'), [
    ['nothing done', nothing, ['one-side b']],
    [
      'the own one',
      (at, { theirs }) => writeFileSync(join(at.root, 'b'), at.git('show', `${theirs}:b`)),
      ['one-side b'],
    ],
    ['a third one', writes('b', '\0both'), []],
  ]))

test('landed as deleted, changed by the other', () =>
  judge({ 'a.txt': before }, removes('a.txt'), one[2], [
    ['nothing done', nothing, ['one-side a.txt']],
    ['stays so', removes('a.txt'), []],
    ['a third version', writes('a.txt', 'what is left of it\n'), []],
  ]))

test('landed as changed, deleted by the other', () =>
  judge({ 'a.txt': before }, one[1], removes('a.txt'), [
    ['nothing done', nothing, ['one-side a.txt']],
    ['deleted', removes('a.txt'), ['one-side a.txt']],
    ['a third version', writes('a.txt', 'what is left of it\n'), []],
  ]))

const dir: Hand = (at) => {
  mkdirSync(join(at.root, 'x'))
  at.write('x/y', 'in it\n')
}
const aside = (at: Repository, sha: string): string => join(at.root, `x~${sha}`)

test('a file and a folder', () =>
  judge({}, writes('x', 'file\n'), dir, [
    ['nothing done', nothing, ['left-over x~']],
    ['the file gone', (at, { onto }) => rmSync(aside(at, onto)), ['one-side x']],
    [
      'the folder gone',
      (at, { onto }) =>
        all((work) => rmSync(aside(work, onto)), removes('x'), writes('x', 'file\n'))(at, { onto, theirs: '' }),
      ['one-side x'],
    ],
    [
      'the file in the folder',
      (at, { onto }) => {
        rmSync(aside(at, onto))
        at.write('x/index', 'file\n')
      },
      [],
    ],
  ]))

test('a link and a file', () =>
  judge({ 'a.txt': before }, links('x', 'a.txt'), writes('x', 'file\n'), [
    ['nothing done', nothing, ['left-over x~']],
    ['the landed link', (at, { theirs }) => rmSync(aside(at, theirs)), ['one-side x']],
    [
      'the own file',
      (at, { theirs }) => {
        removes('x', `x~${theirs}`)(at, { onto: '', theirs })
        at.write('x', 'file\n')
      },
      ['one-side x'],
    ],
    [
      'a third',
      (at, { theirs }) => {
        removes('x', `x~${theirs}`)(at, { onto: '', theirs })
        at.write('x', 'other\n')
      },
      [],
    ],
  ]))

const moves =
  (to: string): Hand =>
  (at) => {
    at.git('mv', 'a.txt', to)
  }

test('two new names', () =>
  judge({ 'a.txt': row({}) }, moves('landed.txt'), moves('own.txt'), [
    ['both names', nothing, []],
    ['the landed name', removes('own.txt'), []],
    ['the own name', removes('landed.txt'), ['one-side landed.txt']],
  ]))

test('a name that is no text, lines of another system and the rights of a file are no obstacle', async () => {
  const name = ':(top)a "1"\n*.txt'
  const executable: Hand = (at) => chmodSync(join(at.root, name), 0o755)
  const text = (line: string): string => `1\r\n${line}\r\n3\r\n`
  await judge({ [name]: text('2') }, all(writes(name, text('landed')), executable), writes(name, text('own')), [
    ['nothing done', nothing, [`markers ${name}`]],
    ['the own side', writes(name, text('own')), [`one-side ${name}`]],
    ['both', writes(name, text('landed\r\nown')), []],
  ])
})

import {
  all,
  before,
  edits,
  judge,
  lines,
  nothing,
  one,
  removes,
  row,
  writes,
  type Hand,
} from '../../../test/kit/resolutions.ts'
import { test } from 'vitest'

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

const short = [{ 'a.txt': before, '.gitattributes': '*.txt conflict-marker-size=5\n' }, one[1], one[2]] as const
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

/** Conflicts of binary files, deletions, links, folders and names. */
import {
  all,
  before,
  judge,
  links,
  nothing,
  one,
  removes,
  row,
  writes,
  type Hand,
} from '../../../test/kit/resolutions.ts'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import type { Repository } from '../../../test/kit/repository.ts'

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

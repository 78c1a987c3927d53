/** Only model/work-id.ts knows the form of work ids: other files ask it, and read no id by a pattern of their own. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { files, root, source } from './sources.ts'

const home = join(source, 'model/work-id.ts')

const steps = [
  'prepare|implement|fix|iterate|inspect|merge|check|trial|land|move|outside|proof|reverse|verify|split|review|judge',
  'until|delay|bisect|revert|checkpoint|rollback',
].join('|')

const owners = 'plan|gate|limit|backlog|baseline|look|report'

/** Texts and patterns that hold a piece of an id. */
const forbidden = [
  ['an attempt in a pattern', /\\\/a\\d/],
  ['an attempt in a text', /\/a\$\{/],
  ['a step in a pattern', new RegExp(String.raw`\\/(?:\(\?:)?(?:${steps})(?:\\d|[|)]|\b[^/\w.-])`)],
  ['a step in a text', new RegExp(String.raw`\}/(?:${steps})(?:\$\{|[\`'])|[('"\`]/(?:${steps})['"\`]`)],
  ['a try', /\\?\.rerun|\\\.(?:wait|again|repair|retry)\b/],
  ['an owner in a pattern', /\^(?:plan|gate|loop|wave)(?:\\|\[|\()/],
  ['an owner in a text', new RegExp(String.raw`['"\`](?:${owners}|(?:wave|loop)\$\{[^}]*\}[^'"\`/]*)/`)],
  ['the prefix of an owner', /startsWith\('wave'/],
] as const

test.each(forbidden)('no file but model/work-id.ts holds %s of work ids', (_what, pattern) => {
  const wrong = files
    .filter((file) => file !== home)
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          pattern.test(line) && !/^\s*(?:\*|\/\/|\/\*|import |\} from )/.test(line)
            ? [`${relative(root, file)}:${at + 1} ${line.trim()}`]
            : [],
        ),
    )
  expect(wrong).toEqual([])
})

test('no file but model/work-id.ts takes ids apart', () => {
  const pattern = /\b(?:work\.id|workId|slot)\.(?:split|startsWith|endsWith|includes|replace|slice|match)\(/
  const wrong = files.filter((file) => file !== home && pattern.test(readFileSync(file, 'utf8')))
  expect(wrong.map((file) => relative(root, file))).toEqual([])
})

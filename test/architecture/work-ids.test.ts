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

/** Texts and patterns that hold a piece of an id. */
const forbidden: readonly [what: string, pattern: RegExp][] = [
  ['an attempt in a pattern', /\\\/a\\d/],
  ['an attempt in a text', /\/a\$\{/],
  ['a step in a pattern', new RegExp(String.raw`\\/(?:${steps})(?:\\d|\)|\b[^/\w.-])`)],
  ['a step in a text', new RegExp(String.raw`\}/(?:${steps})(?:\$\{|[\`'])|[('"\`]/(?:${steps})['"\`]`)],
  ['a try', /\\?\.rerun|\\\.(?:wait|again|repair|retry)\b/],
  ['an owner in a pattern', /\^(?:plan|gate|loop|wave)(?:\\|\[|\()/],
  [
    'an owner in a text',
    /['"`](?:plan\/|gate\/|limit\/|backlog\/|baseline\/|look\/|report\/|wave\$\{|loop\$\{|wave'\))/,
  ],
]

/** Files that fold events by owner; they delete whole owners and read no id. */
const allowed = new Set(['core/evolve.ts', 'core/evolve-convergence.ts'])

test.each(forbidden)('no file but model/work-id.ts holds %s of work ids', (_what, pattern) => {
  const wrong = files
    .filter((file) => file !== home && !allowed.has(relative(source, file)))
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

test('ids are not taken apart by hand', () => {
  const pattern = /\b(?:work\.id|workId|event\.id|\bslot)\.(?:split|startsWith|endsWith|includes|replace|slice|match)\(/
  const wrong = files.filter((file) => file !== home).filter((file) => pattern.test(readFileSync(file, 'utf8')))
  expect(wrong.map((file) => relative(root, file))).toEqual([])
})

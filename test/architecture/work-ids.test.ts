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
  ['a try', /\\?\.rerun(?=[\\$\d])|\\\.(?:wait|again|repair|retry)\b/],
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

const readers =
  /\b(?:readWorkId|isTry|isTryAt|awaited|rerunIn|attemptIn|lastStep|lastPart|isStep|hasStep|passIn|waveIn|questionOf|isDelay|isTimeLimit|stemOf)\b/

/** The files that read facts from ids, because an id is all they have. Elsewhere, work has a field for it. */
const mayRead = [
  // Events of version 1 have these facts only in ids.
  'journal/describe-work.ts',
  // The keys of the ledger and of the counts of starts.
  'core/state/loop.ts',
  'core/state/resuming.ts',
  'core/state/revoking.ts',
  // The origins of tasks and findings.
  'core/stages/backlog.ts',
  'core/turn-claims.ts',
  'views/finding-words.ts',
  'views/lines.ts',
  // Events that name work which has ended.
  'views/work-lines.ts',
  'views/work-name.ts',
  // The names of refs and the owners of leases.
  'workspace/integrate.ts',
  'workspace/run-refs.ts',
]

test('only files that have nothing but an id read facts from it', () => {
  const reading = files
    .filter((file) => file !== home && !relative(source, file).startsWith('simulation/'))
    .filter((file) =>
      [...readFileSync(file, 'utf8').matchAll(/import (\{[^}]*\}) from '[^']*\/work-id\.ts'/g)].some(([, names = '']) =>
        readers.test(names),
      ),
    )
  expect(reading.map((file) => relative(source, file)).toSorted()).toEqual(mayRead.toSorted())
})

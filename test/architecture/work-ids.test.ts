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
  [
    'several owners in a pattern',
    new RegExp(String.raw`\((?:\?:)?(?:${owners}|command)(?:\|(?:${owners}|command))+\)`),
  ],
  ['an owner in a text', new RegExp(String.raw`['"\`](?:${owners}|command|(?:wave|loop)\$\{[^}]*\}[^'"\`/]*)/`)],
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

const cuts = 'split|startsWith|endsWith|includes|indexOf|replace|slice|match|matchAll'
const apart = [
  new RegExp(String.raw`\b(?:work\.id|workId|slot|origin)\??\.(?:${cuts})\(`),
  /\.(?:test|exec)\((?:\w+\??\.)*(?:work\.id|workId|slot|origin)\b/,
]

test.each([
  "origin.startsWith('command/')",
  'question.origin.startsWith(`${origin}#`)',
  'task?.origin?.split("/")',
  String.raw`/^(?:plan|backlog)\//.test(origin)`,
  String.raw`pattern.exec(task.origin)`,
])('taken apart: %s', (line) => {
  expect(apart.some((pattern) => pattern.test(line))).toBe(true)
})

test.each([String.raw`/^(?:plan|backlog)\//.test(text)`, '/^(command|plan)/', "text.startsWith('command/')"])(
  'a piece of an id: %s',
  (line) => {
    expect(forbidden.some(([, pattern]) => pattern.test(line))).toBe(true)
  },
)

test('no file but model/work-id.ts takes ids apart', () => {
  const wrong = files.filter(
    (file) => file !== home && apart.some((pattern) => pattern.test(readFileSync(file, 'utf8'))),
  )
  expect(wrong.map((file) => relative(root, file))).toEqual([])
})

const readerNames = [
  'readWorkId|ownerOf|isTry|isTryAt|awaited|rerunIn|attemptIn|lastStep|lastPart|isStep|hasStep|passIn|waveIn|questionOf',
  'isDelay|isTimeLimit|stemOf|isBelow|landingOf|isPlan|isFromPlan|isFromCommand|authorOfOrigin|isPartOf',
]
const readers = new RegExp(String.raw`\b(?:${readerNames.join('|')})\b`)

test('the list of readers is complete', () => {
  const ids = 'attempt|plan|gate|poll|timeLimit|audit|step|place|rollback|rerun'
  const makers = new RegExp(
    `^(?:(?:${ids})Id|(?:command|part)Origin|(?:wave|pass)Owner|tryAt|makeWorkId|isOwnerOfWork)$`,
  )
  const exported = [...readFileSync(home, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const missing = exported.filter((name = '') => !readers.test(name) && !makers.test(name))
  expect(missing).toEqual([])
  expect(exported).toEqual(expect.arrayContaining(readerNames.flatMap((names) => names.split('|'))))
})

/** The files that read facts from ids, because an id is all they have. Elsewhere, work has a field for it. */
const mayRead = [
  // Events of version 1 have these facts only in ids.
  'journal/describe-work.ts',
  // The keys of the ledger and of the counts of starts: an owner, then an id.
  'core/work/ledger.ts',
  'core/stages/attempt/attempt-ids.ts',
  'core/tasks/workspace-needs.ts',
  'core/questions/answers.ts',
  'core/state/work.ts',
  'core/state/waves.ts',
  'views/live/notice.ts',
  'core/state/loop.ts',
  'core/state/resuming.ts',
  'core/state/revoking.ts',
  'core/stages/wave/audit.ts',
  // The origins of tasks, questions and findings.
  'model/task-author.ts',
  'core/policies/new-tasks.ts',
  'core/questions/parking.ts',
  'core/questions/questions.ts',
  'core/stages/plan.ts',
  'core/stages/source/review-backlog.ts',
  'core/claims/turn-claims.ts',
  'views/facts/check-reason.ts',
  'views/facts/finding-words.ts',
  'views/live/lines.ts',
  'views/live/reopened-line.ts',
  // Events that name work only by its id: that it ended, was lost, was paid for, or is revoked.
  'views/live/about-task.ts',
  'app/runs/recount.ts',
  'logs/journal-log.ts',
  'replay/input.ts',
  'replay/subject.ts',
  'views/live/work-lines.ts',
  'views/facts/work-name.ts',
  // The names of refs and the owners of leases; the landings that commits name.
  'workspace/landing/commit-on-head.ts',
  'workspace/landing/commit.ts',
  'workspace/landing/integrate.ts',
  'workspace/landing/run-refs.ts',
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

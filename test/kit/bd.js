#!/usr/bin/env node
/**
 * A stand-in for beads' `bd`, as its documentation (docs/CLI_REFERENCE.md, docs/JSON_SCHEMA.md of bd 1.0) describes
 * what Looper uses of it: the issues are in `.beads/stand-in.json` of the nearest folder, and one process at a time has
 * them. BD_TROUBLE names what goes wrong, BD_LOG a file for the arguments.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @typedef {{ issue_id: string, depends_on_id: string, type: string, created_at: string }} Edge */
/**
 * @typedef {Record<string, unknown> & { id: string, title: string, status: string, priority: number, issue_type:
 * string,
 *   created_at: string, updated_at: string, assignee?: string, notes?: string, labels?: string[], dependencies?: Edge[] }} Issue
 */
/** @typedef {{ prefix: string, count: number, issues: Issue[] }} Database */

const [command = '', ...args] = process.argv.slice(2)
if (process.env['BD_LOG']) appendFileSync(process.env['BD_LOG'], `${JSON.stringify([command, ...args])}\n`)

/** @type {Record<string, string[]>} */
const options = {}
/** @type {string[]} */
const words = []
for (const arg of args) {
  const [, name, value = 'true'] = /^--([a-z-]+)(?:=([^]*))?$/.exec(arg) ?? []
  if (name === undefined) words.push(arg)
  else (options[name] ??= []).push(value)
}
/** @param {string} name */
const option = (name) => options[name]?.at(-1)
/** @param {string} name */
const listed = (name) =>
  (options[name] ?? [])
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean)

/** @type {Record<string, string[]>} */
const known = {
  list: ['all', 'limit', 'json', 'label'],
  ready: ['limit', 'json', 'label'],
  show: ['json'],
  update: ['json', 'claim', 'status', 'assignee', 'append-notes', 'actor'],
  close: ['json', 'reason', 'force', 'actor'],
  create: [
    'json',
    'title',
    'type',
    'priority',
    'external-ref',
    'labels',
    'description',
    'acceptance',
    'metadata',
    'deps',
    'actor',
  ],
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(
    option('json') ? `${JSON.stringify(wrap({ error: message }, true), null, 2)}\n` : `Error: ${message}\n`,
  )
  process.exit(1)
}

/** @param {object} value @param {boolean} [isObject] */
const wrap = (value, isObject = false) =>
  process.env['BD_JSON_ENVELOPE'] === '1'
    ? { schema_version: 1, data: value }
    : isObject
      ? { ...value, schema_version: 1 }
      : value

/** @param {object} value @param {boolean} [isObject] */
const print = (value, isObject) => process.stdout.write(`${JSON.stringify(wrap(value, isObject), null, 2)}\n`)

const trouble = process.env['BD_TROUBLE'] ?? ''
if (trouble === 'slow') await new Promise((done) => setTimeout(done, 600_000))
if (trouble === 'garbage') {
  process.stdout.write('Welcome to bd!\n[{"id": "bd-1", oops\n')
  process.exit(0)
}
if (trouble === 'nonsense') {
  process.stdout.write('[{"id": "--force", "title": 7}]\n')
  process.exit(0)
}
if (trouble === 'flood') {
  const flood = () => void process.stdout.write('x'.repeat(1024 * 1024), flood)
  flood()
  await new Promise(() => {})
}
if (trouble === 'locked') fail('failed to open database: database is locked')
if (trouble === 'dies') process.kill(process.pid, 'SIGKILL')
if (trouble === 'hostile') fail('\u001B]0;owned\u0007no \u001B[31mway\u001B[0m\nsecond line')
const unknown = Object.keys(options).find(
  (name) => !(known[command] ?? []).includes(name) || (trouble === 'no-claim' && name === 'claim'),
)
if (known[command] === undefined) fail(`unknown command "${command}" for "bd"`)
if (unknown !== undefined) fail(`unknown flag: --${unknown}`)

/** @type {Database} */
let database
const file = findDatabase() ?? fail('no beads database found')
const now = new Date().toISOString()

function findDatabase() {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, '.beads', 'stand-in.json')
    if (existsSync(path)) return path
    if (folder === dirname(folder)) return null
  }
}

async function lock() {
  for (;;) {
    try {
      return mkdirSync(`${file}.lock`)
    } catch {
      await new Promise((done) => setTimeout(done, 2 + Math.random() * 8))
    }
  }
}

function save() {
  writeFileSync(`${file}.new`, JSON.stringify(database, null, 2))
  renameSync(`${file}.new`, file)
}

/** @param {string} id */
const find = (id) => database.issues.find((issue) => issue.id === id)
/** @param {Issue} issue */
const openBlockers = (issue) =>
  (issue.dependencies ?? []).filter(
    ({ type, depends_on_id }) => type === 'blocks' && (find(depends_on_id)?.status ?? 'closed') !== 'closed',
  )
/** @param {Issue} issue */
const children = (issue) =>
  database.issues.filter((other) =>
    (other.dependencies ?? []).some((edge) => edge.type === 'parent-child' && edge.depends_on_id === issue.id),
  )

function matching() {
  const labels = listed('label')
  const found = database.issues.filter((issue) => labels.every((label) => (issue.labels ?? []).includes(label)))
  return found.toSorted(
    (a, b) => a.priority - b.priority || b.created_at.localeCompare(a.created_at) || (a.id < b.id ? -1 : 1),
  )
}

/** @param {Issue} issue */
const withCounts = (issue) => ({
  ...issue,
  dependency_count: (issue.dependencies ?? []).filter(({ type }) => type === 'blocks').length,
  dependent_count: database.issues.filter((other) =>
    (other.dependencies ?? []).some((edge) => edge.type === 'blocks' && edge.depends_on_id === issue.id),
  ).length,
  comment_count: 0,
})

/** @param {Issue[]} issues @param {number} usual */
const limited = (issues, usual) => {
  const limit = option('limit') === undefined ? usual : Number(option('limit'))
  return limit === 0 ? issues : issues.slice(0, limit)
}

function run() {
  switch (command) {
    case 'list':
      return print(
        limited(
          matching().filter(({ status }) => option('all') === 'true' || status !== 'closed'),
          option('all') ? 0 : 50,
        ).map(withCounts),
      )
    case 'ready':
      return print(
        limited(
          matching().filter((issue) => issue.status === 'open' && openBlockers(issue).length === 0),
          100,
        ).map(withCounts),
      )
    case 'show':
      return show()
    case 'update':
      return update()
    case 'close':
      return close()
    default:
      return create()
  }
}

function show() {
  const found = words.flatMap((id) => find(id) ?? (process.stderr.write(`Issue ${id} not found\n`), []))
  if (found.length === 0) {
    print({ error: 'no issues found matching the provided IDs' }, true)
    process.exit(1)
  }
  print(
    found.map((issue) => ({
      ...issue,
      dependencies: (issue.dependencies ?? []).flatMap(({ depends_on_id, type }) => {
        const other = find(depends_on_id)
        return other === undefined ? [] : [{ ...other, dependencies: undefined, dependency_type: type }]
      }),
    })),
  )
}

function update() {
  const done = words.flatMap((id) => {
    const issue = find(id)
    if (issue === undefined) return (process.stderr.write(`Issue ${id} not found\n`), [])
    const refused = option('claim') ? claim(issue) : null
    if (refused !== null) return (process.stderr.write(`Error claiming ${id}: ${refused}\n`), [])
    const status = option('status')
    if (
      status !== undefined
      && !['open', 'in_progress', 'blocked', 'deferred', 'closed', 'pinned', 'hooked'].includes(status)
    )
      fail(`invalid status "${status}"`)
    if (status !== undefined) issue.status = status
    if (option('assignee') !== undefined) issue.assignee = option('assignee') === '' ? undefined : option('assignee')
    const note = option('append-notes')
    if (note !== undefined) issue.notes = issue.notes ? `${issue.notes}\n${note}` : note
    issue.updated_at = now
    return [issue]
  })
  if (done.length === 0) process.exit(1)
  save()
  print(done)
}

/** @param {Issue} issue */
function claim(issue) {
  const actor = option('actor') ?? process.env['BEADS_ACTOR'] ?? 'someone'
  if (issue.status === 'in_progress' && issue.assignee === actor) return null
  if ((issue.assignee ?? '') !== '' && issue.assignee !== actor) return `issue already claimed by ${issue.assignee}`
  if (issue.status !== 'open') return `issue not claimable: status ${issue.status}`
  Object.assign(issue, { assignee: actor, status: 'in_progress', started_at: now })
  return null
}

function close() {
  const done = words.flatMap((id) => {
    const issue = find(id) ?? fail(`issue not found: ${id}`)
    const [open, blockers] = [
      children(issue).filter(({ status }) => status !== 'closed').length,
      openBlockers(issue).map((edge) => edge.depends_on_id),
    ]
    const why = option('force')
      ? null
      : issue.issue_type === 'epic' && open > 0
        ? `cannot close epic ${id}: ${open} open child issue(s); close children first or use --force to override`
        : blockers.length > 0
          ? `cannot close ${id}: blocked by open issues [${blockers.join(' ')}] (use --force to override)`
          : null
    if (why !== null) return (process.stderr.write(`${why}\n`), [])
    Object.assign(issue, {
      status: 'closed',
      closed_at: now,
      updated_at: now,
      close_reason: option('reason') ?? 'Closed',
    })
    return [issue]
  })
  if (done.length === 0) process.exit(1)
  save()
  print(done)
}

function create() {
  const title = option('title') ?? words[0] ?? fail('title required')
  if (title.length > 500) fail(`title must be 500 characters or less (got ${title.length})`)
  const priority = Number(option('priority') ?? 2)
  if (!(priority >= 0 && priority <= 4)) fail(`invalid priority "${option('priority')}"`)
  const id = `${database.prefix}-${(46_000 + ++database.count).toString(36)}`
  /** @type {Issue} */
  const issue = {
    id,
    title,
    status: 'open',
    priority,
    issue_type: option('type') ?? 'task',
    created_at: now,
    updated_at: now,
    created_by: 'someone',
    description: option('description'),
    acceptance_criteria: option('acceptance'),
    external_ref: option('external-ref'),
    labels: listed('labels'),
    metadata: option('metadata') === undefined ? undefined : JSON.parse(option('metadata') ?? ''),
    dependencies: listed('deps').map((to) => ({ issue_id: id, depends_on_id: to, type: 'blocks', created_at: now })),
  }
  database.issues.push(issue)
  save()
  print({ ...issue, dependencies: undefined }, true)
}

await lock()
process.on('exit', () => {
  try {
    rmdirSync(`${file}.lock`)
  } catch {
    /* Already removed. */
  }
})
// A few busy looks at the database, then none.
if (trouble.startsWith('locked-first:')) {
  const left = `${file}.busy`
  const busy = existsSync(left) ? Number(readFileSync(left, 'utf8')) : Number(trouble.slice(13))
  writeFileSync(left, String(Math.max(0, busy - 1)))
  if (busy > 0) fail('database is locked')
}
database = JSON.parse(readFileSync(file, 'utf8'))
run()

/**
 * Hostile input: noise, broken JSON, deep nesting, bytes that are no text, and what is nearly right, which is worse
 * than noise.
 */
import fc from 'fast-check'

const nasty = fc.constantFrom(
  '',
  '\0',
  '\u001B[2J',
  '\u202E',
  '\uFFFD',
  '__proto__',
  'constructor',
  '{',
  '}',
  '"',
  '\\',
  '\r',
  '${x}',
  '`rm -rf`',
  '../../x',
  '-',
  ' ',
  '😀',
  '\u2028',
  '1e999',
)
export const text = fc.oneof(nasty, fc.string({ maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 20 }))
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e308, -1e308, 5e-324, -0, 2 ** 53, 1e21))
export const key = fc.constantFrom(
  'type',
  'status',
  'tasks',
  'id',
  'title',
  'dependsOn',
  'score',
  'issues',
  'severity',
  'message',
  'questions',
  'text',
  'default',
  'blocks',
  'decisions',
  'files',
  'failures',
  'name',
  'error',
  'total',
  'blocker',
  'kind',
  'newTasks',
  'usage',
  'inputTokens',
  'costUsd',
  'resetsAt',
  'agents',
  'limits',
  'checks',
  'run',
  'parallel',
  'workspace',
  'mode',
  '__proto__',
  'constructor',
  'prototype',
)
export const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, key), tie('value'), { maxKeys: 5 }),
  ),
})).value

/** A line that was JSON before something happened to it. */
const broken = fc.tuple(json, fc.nat(), fc.nat(), text).map(([value, at, length, insert]) => {
  const line = JSON.stringify(value) ?? ''
  const from = at % (line.length + 1)
  return line.slice(0, from) + insert + line.slice(from + (length % 5))
})

const depth = fc.oneof(
  { weight: 9, arbitrary: fc.nat({ max: 300 }) },
  { weight: 1, arbitrary: fc.nat({ max: 20_000 }) },
)
const shut = (deep: number, open: string, close: string): string => `${open.repeat(deep)}1${close.repeat(deep)}`
const nested = fc.oneof(
  depth.map((deep) => '['.repeat(deep) + '{"a":'.repeat(deep % 50)),
  depth.map((deep) => shut(deep, '[', ']')),
  depth.map((deep) => shut(deep, '{"a":', '}')),
  fc.tuple(key, depth).map(([name, deep]) => `{"status":"complete","${name}":${shut(deep, '[{"a":', '}]')}}`),
)

export const line = fc.oneof(
  broken,
  text,
  fc.dictionary(key, json, { maxKeys: 8 }).map((value) => JSON.stringify(value)),
  nested,
)

const invalidUtf8 = fc.constantFrom(
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80],
  [0xe2, 0x82],
  [0xf0, 0x9f],
)

/** Bytes, most of them text, with bytes in between that are none. */
export const bytesOf = (source: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    source.map((each) => Buffer.from(each)),
    fc.tuple(source, fc.nat(), invalidUtf8).map(([each, at, insert]) => {
      const bytes = Buffer.from(each)
      const cut = at % (bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, cut), Buffer.from(insert), bytes.subarray(cut)])
    }),
    fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each)),
  )

interface Mutation {
  at: number
  how: 'replace' | 'remove' | 'double' | 'add'
  name: string
  value: unknown
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'double', 'add'),
  name: fc.oneof(key, text),
  value: json,
})

type Holder = Record<string, unknown> | unknown[]
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Every place in a value: what holds it, and under which key. */
function placesIn(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([name, value]) => [
    [holder, name] as [Holder, string],
    ...(isHolder(value) ? placesIn(value) : []),
  ])
}

/** Also under `__proto__`, which is a name like any other in JSON. */
const put = (holder: Holder, name: string, value: unknown): void =>
  void Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })

function mutate(root: Record<string, unknown>, { at, how, name, value }: Mutation): void {
  const places = placesIn(root)
  const [holder, found] = places[at % Math.max(1, places.length)] ?? [root, name]
  const old = (holder as Record<string, unknown>)[found]
  if (how === 'add') put(isHolder(old) && !Array.isArray(old) ? old : root, name, value)
  else if (how === 'double' && Array.isArray(old)) old.push(...structuredClone(old))
  else if (how === 'remove') Reflect.deleteProperty(holder, found)
  else put(holder, found, value)
}

/** What was right, after at most so many changes. */
export const nearly = <T extends object>(right: fc.Arbitrary<T>, most: number): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(right, fc.array(mutation, { maxLength: most })).map(([value, mutations]) => {
    const copy = JSON.parse(JSON.stringify(value)) as Record<string, unknown>
    for (const each of mutations) mutate(copy, each)
    return JSON.parse(JSON.stringify(copy)) as Record<string, unknown>
  })

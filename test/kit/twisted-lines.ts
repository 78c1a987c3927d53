/**
 * Lines that no program printed: those that were recorded, cut, doubled, or with an unexpected value in the place of a
 * value.
 */
import fc from 'fast-check'

const deep = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [{ inner }], 'bottom')

/** As JSON: some of them no program could write by itself. */
const odd = [
  null,
  true,
  -1,
  0.5,
  '',
  'x',
  '\u0000\u001B[2J\uD800',
  [],
  {},
  [null, [[]]],
  { length: 7, toString: 1, __proto__: 2 },
  deep(200),
]
  .map((value) => JSON.stringify(value))
  .concat('1e999', '-1e999', '9007199254740993', '{"__proto__":{"text":"x"}}')

/** No depth and no length is too much. */
export const endless = [
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  JSON.stringify('x'.repeat(10 * 1024 * 1024)),
]

type Path = readonly (string | number)[]

/** Every place in a value; of a list the first entry stands for all. */
const places = (value: unknown, at: Path = []): Path[] => [
  at,
  ...(typeof value !== 'object' || value === null
    ? []
    : Array.isArray(value)
      ? value.slice(0, 1).flatMap((member) => places(member, [...at, 0]))
      : Object.entries(value).flatMap(([key, member]) => places(member, [...at, key]))),
]

/** The value as JSON, with the text in the place. */
export function replaced(value: unknown, [first, ...rest]: Path, text: string): string {
  if (first === undefined) return text
  const shown = (key: string | number, each: unknown): string =>
    key === first ? replaced(each, rest, text) : JSON.stringify(each)
  if (Array.isArray(value)) return `[${value.map((each, index) => shown(index, each)).join(',')}]`
  return `{${Object.entries(value as object)
    .map(([key, each]) => `${JSON.stringify(key)}:${shown(key, each)}`)
    .join(',')}}`
}

/** What a line is like: twisting one of those that are alike is enough. */
export const shapeOf = (value: object): string =>
  `${JSON.stringify('type' in value ? value.type : null)} ${places(value).join(' ')}`

export const twists = (value: object): string[] =>
  places(value).flatMap((path) => odd.map((text) => replaced(value, path, text)))

/** A line cut short, with something else in the place of one of its values, or with a part of it twice. */
export function damaged(line: string): fc.Arbitrary<string> {
  const cut = fc.nat(line.length).map((at) => line.slice(0, at))
  const doubled = fc
    .tuple(fc.nat(line.length), fc.nat(line.length))
    .map(([from, to]) => line.slice(0, from) + line.slice(to))
  const other = fc.tuple(fc.nat(200), fc.json()).map(([nth, json]) => {
    let count = 0
    return line.replace(/(?<=:)(?:"[^"\\]*"|-?\d+|true|false|null|\{|\[)/g, (value) => (count++ === nth ? json : value))
  })
  return fc.oneof(fc.constant(line), cut, doubled, other)
}

/** Reads a map by a table of keys: reports every problem, and still reads the other keys. */
import type { AddFinding } from './finding.ts'
import { otherNames, snakeCase, type Fields, type Given, type Keys } from './keys.ts'
import { meant, quoted } from './read-value.ts'
import type { YamlMap } from './yaml-value.ts'

export function readFields<K extends Keys>(map: YamlMap, keys: K, file: string, addFinding: AddFinding): Fields<K> {
  const fields = new Map<string, Given<unknown>>()
  for (const { key, line, value } of map.entries) {
    const position = { file, line }
    const name = canonical(key)
    const known = Object.hasOwn(keys, name) ? keys[name] : undefined
    const before = fields.get(name)
    if (known === undefined) {
      addFinding('P004', position, `unknown key ${quoted(key)}${meant(key, spellings(keys))}`)
    } else if (before !== undefined) {
      addFinding('P006', position, `${quoted(key)} is given already in line ${before.line}`)
    } else {
      const read = known.read(value)
      if ('wrong' in read) addFinding('P005', position, `${quoted(key)} ${read.wrong}`)
      else fields.set(name, { value: read.value, ...position })
    }
  }
  return Object.fromEntries(fields) as Fields<K>
}

function canonical(key: string): string {
  const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name
}

function spellings(keys: Keys): string[] {
  const names = Object.keys(keys)
  const others = Object.keys(otherNames).filter((other) => names.includes(otherNames[other] ?? ''))
  return [...names, ...others].map(snakeCase)
}

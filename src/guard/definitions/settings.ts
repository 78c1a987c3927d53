/** Reads the settings of a configuration file into a flat table, from JSON, JavaScript, TOML, INI or YAML. */
import { lexJavaScript } from '../javascript/lex.ts'
import type { Tokens } from '../syntax/tokens.ts'
import { after, closeOf, contentOf, lengthOf, partsOf, plainOf, textOf } from '../syntax/tokens.ts'

/** Keyed by the path of keys, joined with dots. */
export type Settings = Map<string, string[]>

const largest = 300_000
const deepest = 20
const mostValues = 2000

export function readSettings(path: string, text: string | null): Settings {
  if (text === null || text.length > largest) return new Map()
  const base = path.slice(path.lastIndexOf('/') + 1)
  if (/\.(?:json[c5]?|[cm]?[jt]s)$/.test(base) || (base.endsWith('rc') && /^\s*[{/]/.test(text)))
    return fromObjects(text)
  const yaml = /\.ya?ml$/.test(base) || (base.endsWith('rc') && /^\w[\w-]*:/m.test(text) && !/^\[/m.test(text))
  return yaml ? fromYaml(text) : fromSections(text)
}

function fromObjects(text: string): Settings {
  const tokens = lexJavaScript(text, false)
  const settings: Settings = new Map()
  const seen = new Set<number>()
  for (let at = 0; at < lengthOf(tokens); at += 1) {
    if (tokens.kinds[at] === 'open' && textOf(tokens, at) === '{') readObject(tokens, at, '', settings, seen, 0)
  }
  return settings
}

function readObject(
  tokens: Tokens,
  open: number,
  path: string,
  settings: Settings,
  seen: Set<number>,
  depth: number,
): void {
  if (seen.has(open) || depth > deepest) return
  seen.add(open)
  for (const { from, end } of partsOf(tokens, open)) {
    if (textOf(tokens, from + 1) !== ':' || from + 2 >= end) continue
    const name = tokens.kinds[from] === 'string' ? contentOf(tokens, from) : textOf(tokens, from)
    const key = path === '' ? name : `${path}.${name}`
    const value = from + 2
    const token = textOf(tokens, value)
    if (token === '{') readObject(tokens, value, key, settings, seen, depth + 1)
    else if (token === '[') readList(tokens, value, key, settings, seen, depth)
    else {
      const isString = tokens.kinds[value] === 'string' && end === value + 1
      add(settings, key, [isString ? contentOf(tokens, value) : plainOf(tokens, value, end, 60)])
    }
  }
}

function readList(
  tokens: Tokens,
  open: number,
  key: string,
  settings: Settings,
  seen: Set<number>,
  depth: number,
): void {
  const values: string[] = []
  for (let at = open + 1; at < closeOf(tokens, open); at = after(tokens, at)) {
    if (textOf(tokens, at) === '{') readObject(tokens, at, key, settings, seen, depth + 1)
    else if (tokens.kinds[at] === 'string') values.push(contentOf(tokens, at))
    else if (/^(?:number|regexp)$/.test(tokens.kinds[at] ?? '')) values.push(textOf(tokens, at))
  }
  add(settings, key, values)
}

const add = (settings: Settings, key: string, values: readonly string[]): void => {
  const known = settings.get(key)
  if (known === undefined) settings.set(key, values.slice(0, mostValues))
  else if (known.length < mostValues) known.push(...values.slice(0, mostValues))
}

/** Reads `[section]`, `key = value`, and continuation lines. */
function fromSections(text: string): Settings {
  const settings: Settings = new Map()
  let section = ''
  let key = ''
  for (const raw of text.split('\n')) {
    const line = raw
      .slice(0, 2000)
      .replace(/(^|\s)[#;]\s.*$|^\s*#.*$/, '$1')
      .trimEnd()
    const head = /^\s*\[+\s*([^\]]{1,200}?)\s*\]+\s*$/.exec(line)
    const pair = /^(\s*)(["']?[\w.:/*-]{1,200}["']?)\s*[=:]\s*(.*)$/.exec(line)
    const closing = /^\s*["'\]]/.test(line)
    if (head !== null && !closing && !(/^\s/.test(line) && key !== '')) {
      section = (head[1] ?? '').replaceAll('"', '')
      key = ''
    } else if (pair !== null && !closing && (pair[1] === '' || key === '')) {
      key = [section, (pair[2] ?? '').replace(/^["']|["']$/g, '')].filter(Boolean).join('.')
      add(settings, key, valuesOf(pair[3] ?? ''))
    } else if (key !== '' && line.trim() !== '') add(settings, key, valuesOf(line.trim()))
  }
  return settings
}

/** Returns the entries of a list, or the value itself. */
function valuesOf(text: string): string[] {
  const value = text.trim()
  if (/^\[|^["'].*["'],?\s*\]?$|^\]/.test(value)) {
    const found = [...value.matchAll(/"([^"]*)"|'([^']*)'|([\w./*-]+)/g)].map(
      ([, double, single, word]) => double ?? single ?? word ?? '',
    )
    return found.filter(Boolean)
  }
  return value === '' || value === '\\' ? [] : [value]
}

/** Nests keys by indentation; list entries belong to the key above. */
function fromYaml(text: string): Settings {
  const settings: Settings = new Map()
  const keys: { indent: number; name: string }[] = []
  for (const raw of text.split('\n')) {
    const line = raw
      .slice(0, 2000)
      .replace(/(^|\s)#.*$/, '$1')
      .trimEnd()
    const entry = /^(\s*)(- )?(.*)$/.exec(line)
    if (line.trim() === '' || entry === null) continue
    const indent = (entry[1] ?? '').length + (entry[2] ?? '').length
    const pair = /^(["']?[\w./ @*$-]{1,200}["']?):(?:\s+(.*))?$/.exec(entry[3] ?? '')
    while (
      (keys.at(-1)?.indent ?? -1)
      >= (pair === null ? (entry[1] ?? '').length + (entry[2] === undefined ? 0 : 1) : indent)
    )
      keys.pop()
    if (pair !== null) keys.push({ indent, name: (pair[1] ?? '').replace(/^["']|["']$/g, '') })
    const value = pair === null ? (entry[3] ?? '') : (pair[2] ?? '')
    const key = keys
      .slice(-deepest)
      .map(({ name }) => name)
      .join('.')
    if (value !== '')
      add(
        settings,
        key,
        valuesOf(value).map((each) => each.replace(/^["']|["']$/g, '')),
      )
  }
  return settings
}

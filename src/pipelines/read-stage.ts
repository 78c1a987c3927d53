/** Reads the definition of a stage: its settings, prompt and items. */
import { basename, dirname, extname } from 'node:path'
import type { Prompt, StageDefinition } from './definition.ts'
import type { DefinitionLine, AddFinding } from './finding.ts'
import { stageKeys, type Given, type StageFields } from './keys.ts'
import { isName, nameRule } from './name.ts'
import type { Found, Where } from './find-definition.ts'
import { readFields } from './read-fields.ts'
import { below, readText, shownPath } from './read-text.ts'
import { quoted } from './read-value.ts'
import { readYaml, type Scalar, type YamlMap } from './yaml-value.ts'

const maxYamlBytes = 256 * 1024
const maxPromptBytes = 512 * 1024
const maxItemsBytes = 4 * 1024 * 1024
const mostItems = 10_000

export interface Reading {
  where: Where
  addFinding: AddFinding
}

/** Returns null when the problem has been reported. */
export function readMapFile({ path, within }: Found, { where, addFinding }: Reading): YamlMap | null {
  const position = { file: shownPath(path, where.root), line: 1 }
  const read = readText(path, within, maxYamlBytes)
  if ('wrong' in read) return reportNull(addFinding, read.code, position, `the file ${read.wrong}`)
  const value = readYaml(read.text)
  if ('problem' in value)
    return reportNull(addFinding, 'P003', { ...position, line: value.problem.line }, value.problem.message)
  if (value.kind !== 'map') return reportNull(addFinding, 'P003', position, 'a definition is a map of keys')
  return value
}

function reportNull(
  addFinding: AddFinding,
  code: Parameters<AddFinding>[0],
  position: DefinitionLine,
  message: string,
): null {
  addFinding(code, position, message)
  return null
}

export function readStage(found: Found, map: YamlMap, reading: Reading): StageDefinition {
  const { where, addFinding } = reading
  const position = { file: shownPath(found.path, where.root), line: 1 }
  const { name: said, ...fields } = readFields(map, stageKeys, position.file, addFinding)
  if (said !== undefined) checkName(said, found.name, addFinding)
  if (fields.description === undefined) addFinding('P009', position, 'there is no description')
  const prompt =
    fields.prompt === undefined ? promptFile(found, position, reading) : promptOf(fields.prompt, found, reading)
  return {
    name: found.name,
    stage: found.name,
    ...position,
    fields,
    prompt,
    items: readItems(fields, reading),
    inline: false,
  }
}

/** A stage is found by the name of its folder or file, so a different name inside is a mistake. */
export function checkName({ value, ...position }: Given<string>, found: string, addFinding: AddFinding): void {
  if (!isName(value)) addFinding('P007', position, `${quoted(value)} is no name: ${nameRule}`)
  else if (value !== found)
    addFinding('P008', position, `it calls itself ${quoted(value)} and is found as ${quoted(found)}`)
}

/** A single line that ends in `.md` names a file beside the definition. */
export function promptOf({ value, file, line }: Given<Scalar>, found: Found, reading: Reading): Prompt | null {
  const text = typeof value.value === 'string' ? value.value : value.source
  const name = text.trim()
  if (!name.includes('\n') && extname(name) === '.md') return promptFile(found, { file, line }, reading, name)
  return { text: text.trimEnd(), file, line: value.literal ? value.line + 1 : value.line, aligned: value.literal }
}

function promptFile(
  { path, within }: Found,
  position: DefinitionLine,
  { where, addFinding }: Reading,
  name = 'prompt.md',
): Prompt | null {
  const full = below(dirname(path), name)
  const read = readText(full, within, maxPromptBytes)
  if ('text' in read) return { text: read.text.trimEnd(), file: shownPath(full, where.root), line: 1, aligned: true }
  const missing = read.wrong === 'is missing'
  return reportNull(addFinding, missing ? 'P010' : read.code, position, `the prompt ${basename(name)} ${read.wrong}`)
}

export function readItems({ items, itemsFrom }: StageFields, { where, addFinding }: Reading): string[] | null {
  if (itemsFrom === undefined) return items?.value ?? null
  if (items !== undefined)
    return reportNull(addFinding, 'P006', items, '"items" and "items_from" both say what the items are')
  const read = readText(below(where.root, itemsFrom.value), where.root, maxItemsBytes)
  if ('wrong' in read) return reportNull(addFinding, read.code, itemsFrom, `${quoted(itemsFrom.value)} ${read.wrong}`)
  const lines = read.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length > mostItems)
    return reportNull(addFinding, 'P005', itemsFrom, `${quoted(itemsFrom.value)} has more than ${mostItems} items`)
  return lines
}

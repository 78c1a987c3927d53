/** Reads the definition of a pipeline, and the stages that it names. */
import type { Definition, StageDefinition } from './definition.ts'
import type { Place, Tell } from './finding.ts'
import { entryKeys, pipelineKeys, type Fields, type StageFields } from './keys.ts'
import { isName, nameRule } from './name.ts'
import { aliases, findNamed, listAll, type Found, type Where } from './places.ts'
import { readFields } from './read-fields.ts'
import { checkName, promptOf, readItems, readMapFile, readStage, type Reading } from './read-stage.ts'
import { shownPath } from './read-text.ts'
import { meant, quoted } from './read-value.ts'
import type { Value, YamlMap } from './yaml-value.ts'

const mostStages = 100

/** A file given by its path is a pipeline when it has the key `stages`. */
export function readDefinition(found: Found, reading: Reading): Definition {
  const place = { file: shownPath(found.path, reading.where.root), line: 1 }
  const map = readMapFile(found, reading)
  const isStage =
    found.kind === 'stage' || (found.kind === null && map !== null && !map.entries.some(({ key }) => key === 'stages'))
  if (map === null) return { name: found.name, description: '', single: isStage, ...place, stages: [] }
  if (!isStage) return readPipeline(found, map, place, reading)
  const stage = readStage(found, map, reading)
  return {
    name: found.name,
    description: stage.fields.description?.value ?? '',
    single: true,
    ...place,
    stages: [stage],
  }
}

function readPipeline(found: Found, map: YamlMap, place: Place, reading: Reading): Definition {
  const { tell } = reading
  const { name, description, stages } = readFields(map, pipelineKeys, place.file, tell)
  if (name !== undefined) checkName(name, found.name, tell)
  if (description === undefined) tell('P009', place, 'there is no description')
  const items = stages?.value.items ?? []
  const unreadable = stages === undefined && map.entries.some(({ key }) => key === 'stages')
  if (items.length === 0 && !unreadable) tell('P030', stages ?? place, 'a pipeline needs at least one stage')
  if (items.length > mostStages) tell('P005', stages ?? place, `more than ${mostStages} stages`)
  const read = items.slice(0, mostStages).flatMap((value) => readEntry(value, found, place.file, reading) ?? [])
  return { name: found.name, description: description?.value ?? '', single: false, ...place, stages: read }
}

function readEntry(value: Value, found: Found, file: string, reading: Reading): StageDefinition | null {
  const { tell } = reading
  const place = { file, line: value.line }
  if (value.kind !== 'map') {
    tell('P005', place, 'a stage is a map with "name" and "stage"')
    return null
  }
  const { name, stage, ...fields } = readFields(value, entryKeys, file, tell)
  const called = name ?? stage
  if (called === undefined) {
    tell('P032', place, 'a stage needs a name, and a stage or a prompt')
    return null
  }
  if (!isName(called.value)) tell('P007', called, `${quoted(called.value)} is no name: ${nameRule}`)
  if (stage !== undefined)
    return overriding({ name: called.value, ...place }, fields, referenced(stage.value, stage, reading), found, reading)
  return inline({ name: called.value, ...place }, fields, found, reading)
}

type EntryFields = Omit<Fields<typeof entryKeys>, 'name' | 'stage'>

function inline(entry: Place & { name: string }, fields: EntryFields, found: Found, reading: Reading): StageDefinition {
  const { where, tell } = reading
  if (fields.prompt === undefined) {
    const hint = findNamed('stage', entry.name, where) === null ? '' : ` (did you mean stage: ${entry.name}?)`
    tell('P032', entry, `the stage ${quoted(entry.name)} names neither a stage nor a prompt${hint}`)
  }
  const prompt = fields.prompt === undefined ? null : promptOf(fields.prompt, found, reading)
  return { ...entry, stage: entry.name, fields, prompt, items: readItems(fields, reading), inline: true }
}

/** Settings of the pipeline override those of the stage one by one; `items` and `items_from` count as one setting. */
function overriding(
  entry: Place & { name: string },
  fields: EntryFields,
  base: StageDefinition | null,
  found: Found,
  reading: Reading,
): StageDefinition | null {
  if (base === null) return null
  const givesItems = fields.items !== undefined || fields.itemsFrom !== undefined
  const { items: _items, itemsFrom: _from, ...others } = base.fields
  const merged: StageFields = { ...(givesItems ? others : base.fields), ...fields }
  const prompt = fields.prompt === undefined ? base.prompt : promptOf(fields.prompt, found, reading)
  return {
    ...entry,
    stage: base.stage,
    fields: merged,
    prompt,
    items: givesItems ? readItems(fields, reading) : base.items,
    inline: false,
  }
}

function referenced(name: string, place: Place, reading: Reading): StageDefinition | null {
  const { where, tell } = reading
  const found = findNamed('stage', name, where)
  if (found === null) {
    tellUnknown(name, place, where, tell)
    return null
  }
  const map = readMapFile(found, reading)
  return map === null ? null : readStage(found, map, reading)
}

function tellUnknown(name: string, place: Place, where: Where, tell: Tell): void {
  if (!isName(name)) tell('P007', place, `${quoted(name)} is no name: ${nameRule}`)
  else tell('P031', place, `there is no stage ${quoted(name)}${meant(name, stageNames(where))}`)
}

const stageNames = (where: Where): string[] => [
  ...listAll('stage', where).map(({ name }) => name),
  ...Object.keys(aliases),
]

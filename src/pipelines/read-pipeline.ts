/** Reads the definition of a pipeline, and the stages that it names. */
import type { Definition, StageDefinition } from './definition.ts'
import type { DefinitionLine, AddFinding } from './finding.ts'
import { entryKeys, pipelineKeys, type Fields, type StageFields } from './keys.ts'
import { isName, nameRule } from './name.ts'
import { aliases, findNamed, listAll, type Found, type Where } from './find-definition.ts'
import { readFields } from './read-fields.ts'
import { checkName, promptOf, readItems, readMapFile, readStage, type Reading } from './read-stage.ts'
import { shownPath } from './read-text.ts'
import { meant, quoted } from './read-value.ts'
import type { Value, YamlMap } from './yaml-value.ts'

const mostStages = 100

/** A file given by its path is a pipeline when it has the key `stages`. */
export function readDefinition(found: Found, reading: Reading): Definition {
  const position = { file: shownPath(found.path, reading.where.root), line: 1 }
  const map = readMapFile(found, reading)
  const isStage =
    found.kind === 'stage' || (found.kind === null && map !== null && !map.entries.some(({ key }) => key === 'stages'))
  if (map === null) return { name: found.name, description: '', single: isStage, ...position, stages: [] }
  if (!isStage) return readPipeline(found, map, position, reading)
  const stage = readStage(found, map, reading)
  return {
    name: found.name,
    description: stage.fields.description?.value ?? '',
    single: true,
    ...position,
    stages: [stage],
  }
}

function readPipeline(found: Found, map: YamlMap, position: DefinitionLine, reading: Reading): Definition {
  const { addFinding } = reading
  const { name, description, stages } = readFields(map, pipelineKeys, position.file, addFinding)
  if (name !== undefined) checkName(name, found.name, addFinding)
  if (description === undefined) addFinding('P009', position, 'there is no description')
  const items = stages?.value.items ?? []
  const unreadable = stages === undefined && map.entries.some(({ key }) => key === 'stages')
  if (items.length === 0 && !unreadable) addFinding('P030', stages ?? position, 'a pipeline needs at least one stage')
  if (items.length > mostStages) addFinding('P005', stages ?? position, `more than ${mostStages} stages`)
  const read = items.slice(0, mostStages).flatMap((value) => readEntry(value, found, position.file, reading) ?? [])
  return { name: found.name, description: description?.value ?? '', single: false, ...position, stages: read }
}

function readEntry(value: Value, found: Found, file: string, reading: Reading): StageDefinition | null {
  const { addFinding } = reading
  const position = { file, line: value.line }
  if (value.kind !== 'map') {
    addFinding('P005', position, 'a stage is a map with "name" and "stage"')
    return null
  }
  const { name, stage, ...fields } = readFields(value, entryKeys, file, addFinding)
  const called = name ?? stage
  if (called === undefined) {
    addFinding('P032', position, 'a stage needs a name, and a stage or a prompt')
    return null
  }
  if (!isName(called.value)) addFinding('P007', called, `${quoted(called.value)} is no name: ${nameRule}`)
  if (stage !== undefined)
    return overriding(
      { name: called.value, ...position },
      fields,
      referenced(stage.value, stage, reading),
      found,
      reading,
    )
  return inline({ name: called.value, ...position }, fields, found, reading)
}

type EntryFields = Omit<Fields<typeof entryKeys>, 'name' | 'stage'>

function inline(
  entry: DefinitionLine & { name: string },
  fields: EntryFields,
  found: Found,
  reading: Reading,
): StageDefinition {
  const { where, addFinding } = reading
  if (fields.prompt === undefined) {
    const hint = findNamed('stage', entry.name, where) === null ? '' : ` (did you mean stage: ${entry.name}?)`
    addFinding('P032', entry, `the stage ${quoted(entry.name)} names neither a stage nor a prompt${hint}`)
  }
  const prompt = fields.prompt === undefined ? null : promptOf(fields.prompt, found, reading)
  return { ...entry, stage: entry.name, fields, prompt, items: readItems(fields, reading), inline: true }
}

/** Settings of the pipeline override those of the stage one by one; `items` and `items_from` count as one setting. */
function overriding(
  entry: DefinitionLine & { name: string },
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

function referenced(name: string, position: DefinitionLine, reading: Reading): StageDefinition | null {
  const { where, addFinding } = reading
  const found = findNamed('stage', name, where)
  if (found === null) {
    reportUnknown(name, position, where, addFinding)
    return null
  }
  const map = readMapFile(found, reading)
  return map === null ? null : readStage(found, map, reading)
}

function reportUnknown(name: string, position: DefinitionLine, where: Where, addFinding: AddFinding): void {
  if (!isName(name)) addFinding('P007', position, `${quoted(name)} is no name: ${nameRule}`)
  else addFinding('P031', position, `there is no stage ${quoted(name)}${meant(name, stageNames(where))}`)
}

const stageNames = (where: Where): string[] => [
  ...listAll('stage', where).map(({ name }) => name),
  ...Object.keys(aliases),
]

/**
 * Imports the check boxes of a Markdown plan: `- [ ]` is a task to do, `- [x]` is done. A nested box is a subtask,
 * which has to be done first. Headings become tags. Text like "(blocked by T-003)" and lines below a box like "depends
 * on: 1.1", "files: a.ts" or "verify: npm test" are understood.
 */
import type { SourceStatus } from '../../model/source.ts'
import { importedTask, withKnownDependencies, type ImportedTask, type Reading } from './imported.ts'
import { isLooperPlan, plainPlan } from './looper-plan.ts'
import { planLines, type PlanLine } from './plan-lines.ts'
import { addLine, readTitle, tagOf } from './plan-words.ts'

type Box = Extract<PlanLine, { kind: 'box' }>

const marks: Readonly<Record<string, SourceStatus>> = {
  ' ': 'todo',
  x: 'done',
  X: 'done',
  '/': 'doing',
  '-': 'cancelled',
  '~': 'cancelled',
}

export function readPlan(text: string): Reading {
  const plan = createPlan()
  for (const line of planLines(isLooperPlan(text) ? plainPlan(text) : text)) {
    switch (line.kind) {
      case 'heading':
        plan.head(line.level, line.text)
        break
      case 'box':
        plan.add(line)
        break
      case 'text':
        plan.describe(line.indent, line.text)
        break
    }
  }
  plan.tasks.forEach(plan.resolve)
  return withKnownDependencies({ tasks: partsFirst(plan.tasks), notes: plan.notes })
}

function createPlan() {
  const tasks: ImportedTask[] = []
  const notes: string[] = []
  const names = new Set<string>()
  /** What a title says after "after", and the title with these words. */
  const waiting = new Map<ImportedTask, { words: string; title: string }>()
  /** The boxes that enclose the current line; `headings` holds the headings above it. */
  const around: { indent: number; task: ImportedTask; parts: number }[] = []
  const headings: { level: number; tag: string }[] = []
  let count = 0
  const leave = (indent: number): void => {
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop()
  }
  return {
    tasks,
    notes,
    head(level: number, text: string): void {
      around.length = 0
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
      headings.push({ level, tag: tagOf(text) })
    },
    add({ line, indent, mark, text }: Box): void {
      leave(indent)
      const { id, title, dependsOn, waits, whole } = readTitle(text)
      if (title === '') return void notes.push(`line ${line}: a check box without text`)
      if (marks[mark] === undefined) notes.push(`line ${line}: unknown mark [${mark}]: imported as todo`)
      if (id !== null && names.has(id))
        notes.push(`line ${line}: ${id} is the id of another task: this one gets a new id`)
      const outer = around.at(-1)
      const isNamed = id !== null && !names.has(id)
      const task = importedTask({
        id: isNamed ? id : outer === undefined ? `#${++count}` : `${outer.task.id}#${++outer.parts}`,
        named: isNamed,
        title,
        dependsOn,
        status: marks[mark] ?? 'todo',
        parent: outer?.task.id ?? null,
        tags: headings.filter(({ level, tag }) => level > 1 && tag !== '').map(({ tag }) => tag),
      })
      names.add(task.id)
      if (waits !== null && dependsOn.length === 0) waiting.set(task, { words: waits, title: whole })
      tasks.push(task)
      around.push({ indent, task, parts: 0 })
    },
    /** "(after Build it)" names another box by its title. Words that name none are part of the title. */
    resolve(task: ImportedTask): void {
      const said = waiting.get(task)
      if (said === undefined) return
      const named = said.words.split(/[,;]|\band\b/).map(keyOf)
      const known = tasks.filter((other) => other !== task && named.includes(keyOf(other.title)))
      if (known.length > 0) task.dependsOn.push(...known.map(({ id }) => id))
      else task.title = said.title
    },
    describe(indent: number, text: string): void {
      leave(indent)
      const outer = around.at(-1)
      if (outer !== undefined) addLine(outer.task, text)
    },
  }
}

const keyOf = (title: string): string =>
  title
    .trim()
    .replace(/[.`*]+$|^[`*]+/g, '')
    .toLowerCase()

/** Makes each task depend on its subtasks. */
function partsFirst(tasks: readonly ImportedTask[]): ImportedTask[] {
  const parts = new Map<string, string[]>()
  for (const { id, parent } of tasks) if (parent !== null) parts.set(parent, [...(parts.get(parent) ?? []), id])
  return tasks.map((task) => ({ ...task, dependsOn: [...task.dependsOn, ...(parts.get(task.id) ?? [])] }))
}

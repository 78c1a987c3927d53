/** Prompt templates: markdown with `${NAME}`, a project's own before the ones that come with Looper. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { purposes, resultShapes, type Purpose, type ResultShape } from '../model/purposes.ts'

const turnNames = {
  required: ['CONTEXT', 'RESULT'],
  optional: ['RUN', 'TASK', 'ATTEMPT', 'ROLE', 'PURPOSE', 'APPROVE', 'REVISE'],
}

/** Names a template must use, and those it may use. */
interface Names {
  required: readonly string[]
  optional: readonly string[]
}

type TurnTemplate = (typeof purposes)[Purpose]['template']
type ResultTemplate = `result.${ResultShape}`
export type TemplateId = TurnTemplate | 'result' | ResultTemplate | 'repair'

const turnTemplates = Object.values(purposes).map(({ template }) => [template, turnNames] as const)
const resultTemplates = Object.entries(resultShapes).map(
  ([shape, optional]) => [`result.${shape}`, { required: [], optional }] as const,
)

/** Every template there is. */
export const templateNames = Object.fromEntries([
  ...turnTemplates,
  ['result', { required: ['SHAPE'], optional: [] }],
  ...resultTemplates,
  ['repair', { required: ['ERRORS'], optional: [] }],
]) as Record<TemplateId, Names>

export interface Template {
  id: TemplateId
  path: string
  text: string
}
export type Templates = Record<TemplateId, Template>

/** `$${NAME}` is the way to write a literal `${NAME}`. */
const placeholder = /\$?\$\{([^}\n]*)\}/g

/**
 * Throws CONFIG_INVALID for a name that nothing fills, and for a template that leaves out what the turn cannot do
 * without.
 */
export function loadTemplates(dirs: readonly string[]): Templates {
  const ids = Object.keys(templateNames) as TemplateId[]
  return Object.fromEntries(ids.map((id) => [id, load(id, dirs)])) as Templates
}

function load(id: TemplateId, dirs: readonly string[]): Template {
  for (const dir of dirs) {
    const path = join(dir, `${id}.md`)
    const text = read(path)
    if (text !== null) return checked({ id, path, text: text.trimEnd() })
  }
  throw new LooperError('BUG_INVARIANT', `the prompt ${id}.md is in none of: ${dirs.join(', ')}`, {
    hint: 'Install Looper again.',
  })
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw new LooperError('CONFIG_INVALID', `${path} cannot be read`, { cause: error })
  }
}

function checked(template: Template): Template {
  const used = namesIn(template.text)
  const { required, optional } = templateNames[template.id]
  const known = [...required, ...optional]
  const unknown = used.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new LooperError('CONFIG_INVALID', `${template.path}: nothing is called \${${unknown}}`, {
      hint: `It may use ${known.map((name) => `\${${name}}`).join(', ') || 'no names'}; write $\${…} for a literal one.`,
    })
  }
  const missing = required.find((name) => !used.includes(name))
  if (missing !== undefined) {
    const hint = 'Without it the agent would not learn what to do.'
    throw new LooperError('CONFIG_INVALID', `${template.path}: \${${missing}} is missing`, { hint })
  }
  return template
}

export const namesIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].filter(([whole]) => !whole.startsWith('$$')).map(([, name = '']) => name)

/** One pass, so that a value that looks like a name stays what it is. */
export const render = (template: Template, values: Readonly<Record<string, string>>): string =>
  template.text.replace(placeholder, (whole, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1)
    const value = values[name]
    if (value === undefined) throw new LooperError('BUG_INVARIANT', `${template.id}: no value for \${${name}}`)
    return value
  })

/** Prompt templates: markdown with `${NAME}`. A project's own template takes precedence over Looper's. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { purposes, resultShapes, type Purpose, type ResultShape } from '../model/purposes.ts'

const turnNames = {
  required: ['CONTEXT', 'RESULT'],
  optional: ['RUN', 'TASK', 'ATTEMPT', 'ROLE', 'PURPOSE', 'APPROVE', 'REVISE'],
}

/** Variables that a template must use, and those it may use. */
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

/** The variables of every template. */
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

/** `$${NAME}` stands for a literal `${NAME}`. */
const placeholder = /\$?\$\{([^}\n]*)\}/g

/** Throws CONFIG_INVALID for an unknown variable, and for a template that lacks a required one. */
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
      hint:
        `It may use ${known.map((name) => `\${${name}}`).join(', ') || 'no names'}. `
        + 'Write $${…} for a literal one.',
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

/** Replaces in one pass, so that a value that looks like a variable stays unchanged. */
export const render = (template: Template, values: Readonly<Record<string, string>>): string =>
  template.text.replace(placeholder, (whole, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1)
    const value = values[name]
    if (value === undefined) throw new LooperError('BUG_INVARIANT', `${template.id}: no value for \${${name}}`)
    return value
  })

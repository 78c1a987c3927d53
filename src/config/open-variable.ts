/**
 * Finds the key of a variable that contains a user-defined name: `LOOPER_AGENTS_CLAUDE_MODEL` sets
 * `agents.claude.model`.
 */
import { settings, variablePart } from './keys.ts'
import type { Fields, Spec } from '../schema/shape.ts'

export interface OpenVariable {
  path: readonly string[]
  spec: Spec
}

/** Returns the names in use at a path: those of agents, or of models with prices. */
export type NamesAt = (path: readonly string[]) => readonly string[]

interface Reading extends OpenVariable {
  /** The first user-defined name in it, as the variable spells it. */
  chosen: string
  known: boolean
  /** Whether nothing follows the user-defined name, and it is not the name of a variable. */
  whole: boolean
}

/** Limit on the name: every underscore is a possible split, and real names are shorter. */
const longest = 256

/**
 * Returns null when no key matches. A name in use is preferred to a new one. The value matters in one case: a variable
 * that defines a whole new agent must have an object as its value, because otherwise it is probably a typo.
 */
export function readOpenVariable(name: string, value: string, namesAt: NamesAt): OpenVariable | null {
  if (name.length > longest) return null
  const rest = name.replace(/^LOOPER_/, '')
  const readings = inFields(settings, rest, [], namesAt).filter(
    ({ chosen, known, whole }) => chosen !== '' && (known || !whole || value.trimStart().startsWith('{')),
  )
  const [best] = readings.toSorted(
    (a, b) =>
      Number(b.known) - Number(a.known)
      || (a.known
        ? b.chosen.length - a.chosen.length
        : Number(a.whole) - Number(b.whole) || a.chosen.length - b.chosen.length),
  )
  return best === undefined ? null : { path: best.path, spec: best.spec }
}

function inFields(fields: Fields, rest: string, path: readonly string[], namesAt: NamesAt): Reading[] {
  return Object.entries(fields).flatMap(([name, { spec }]) => {
    const after = behind(rest, variablePart(name))
    return after === null ? [] : within(spec, after, [...path, name], namesAt)
  })
}

function within(spec: Spec, rest: string, path: readonly string[], namesAt: NamesAt): Reading[] {
  if (rest === '') return [{ path, spec, chosen: '', known: false, whole: true }]
  if (spec.kind === 'object') return inFields(spec.fields, rest, path, namesAt)
  if (spec.kind !== 'record' || !(spec.names instanceof RegExp)) return []
  const { of, verbatim = false } = spec
  return splits(rest).flatMap(([chosen, after]) => {
    const matching = verbatim ? [] : namesAt(path).filter((name) => spelled(name) === chosen.toUpperCase())
    // Names that a variable cannot distinguish can only be set in files.
    if (matching.length > 1) return []
    const name = matching[0] ?? (verbatim ? chosen : chosen.toLowerCase().replaceAll('_', '-'))
    return within(of, after, [...path, name], namesAt).map((reading) => ({
      ...reading,
      chosen,
      known: matching.length === 1,
      whole: after === '' && !verbatim,
    }))
  })
}

/** Returns the text after a word; null when it does not begin with that word. */
function behind(text: string, word: string): string | null {
  if (text === word) return ''
  return text.startsWith(`${word}_`) ? text.slice(word.length + 1) : null
}

/** Returns every split of a text in two at an underscore, and the whole text. */
function splits(text: string): [before: string, after: string][] {
  const cuts = [...text.matchAll(/_/g)].map(({ index }): [string, string] => [
    text.slice(0, index),
    text.slice(index + 1),
  ])
  return [...cuts.filter(([before, after]) => before !== '' && after !== ''), [text, '']]
}

/** Converts a user-defined name to its part in a variable name: `my-agent` to `MY_AGENT`. */
export const spelled = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '_')

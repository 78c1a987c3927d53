/**
 * Finds the key that a variable means when a name that people chose is part of it: `LOOPER_AGENTS_CLAUDE_MODEL`,
 * `agents.claude.model`.
 */
import { settings, variablePart } from './keys.ts'
import type { Fields, Spec } from './spec.ts'

export interface OpenVariable {
  path: readonly string[]
  spec: Spec
}

/** Names in use at a place: those of agents, of models with prices. */
export type NamesAt = (path: readonly string[]) => readonly string[]

interface Reading extends OpenVariable {
  /** The first chosen name in it, as the variable spells it. */
  chosen: string
  known: boolean
  /** Nothing follows the chosen name, and it is not the name of a variable. */
  whole: boolean
}

/** Nobody writes longer names, and every underscore is a place to cut. */
const longest = 256

/**
 * Null when it means nothing. A name in use is preferred to one that would be new. The value decides only in one case:
 * a whole agent that is new has to look like one, because otherwise it is a slip.
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
    // Two names that a variable cannot tell apart are both left to the files.
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

/** What follows a word; null when it does not begin with that word. */
function behind(text: string, word: string): string | null {
  if (text === word) return ''
  return text.startsWith(`${word}_`) ? text.slice(word.length + 1) : null
}

/** Every way to cut a text in two at an underscore, and the text as a whole. */
function splits(text: string): [before: string, after: string][] {
  const cuts = [...text.matchAll(/_/g)].map(({ index }): [string, string] => [
    text.slice(0, index),
    text.slice(index + 1),
  ])
  return [...cuts.filter(([before, after]) => before !== '' && after !== ''), [text, '']]
}

/** A chosen name as it stands in the name of a variable: `my-agent` as `MY_AGENT`. */
export const spelled = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '_')

/** Lists the possible problems of a stage or pipeline: one code for each, reported with file and line. */

export type Severity = 'error' | 'warning'

interface Entry {
  severity: Severity
  /** Text for the guide. */
  about: string
}

const error = (about: string): Entry => ({ severity: 'error', about })
const warning = (about: string): Entry => ({ severity: 'warning', about })

export const lintCodes = {
  P001: error('a file cannot be read: missing, a folder, too large, not UTF-8'),
  P002: error('a path leads out of the project'),
  P003: error('not valid YAML: syntax, aliases, tags, several documents, deep nesting'),
  P004: error('unknown key'),
  P005: error('a value that the key cannot have'),
  P006: error('the same setting is given twice'),
  P007: error('a name that cannot be used'),
  P008: warning('the name is not that of its folder or file; it is found under the latter'),
  P009: warning('no description'),
  P010: error('no prompt, or an empty one'),
  P011: error('no completion'),
  P012: error('the completion lacks its option: `items` for all-items, `until` for until'),
  P013: error('all-items with an empty list'),
  P014: warning('an option that the completion does not use'),
  P015: warning('plateau with an `output_parse` that has no field `plateau`'),
  P016: warning('fewer runs than `min_iterations`: the completion is never evaluated'),
  P017: warning('plateau with one run: it takes two that agree'),
  P018: warning('fixed-n without `runs`'),
  P019: warning('fewer runs than items: the last ones are never reached'),
  P020: warning('a key that is accepted and has no effect'),
  P021: warning('unknown variable; it is left as it is'),
  P022: warning('all-items, and the prompt does not use `${ITEM}`'),
  P023: warning('perspectives, and the prompt does not use `${PERSPECTIVE}`'),
  P024: warning('a variable that is always empty in this stage'),
  P030: error('a pipeline without stages'),
  P031: error('unknown stage'),
  P032: error('a stage that names neither a stage nor a prompt'),
  P033: error('two stages of the same name'),
  P034: warning('`${INPUTS}` in the first stage: there is nothing before it'),
  P035: error('`${INPUTS.x}`, and x is no earlier stage'),
  P036: warning('`${OUTPUT}` is written, and no later stage reads it'),
  P037: error('two stages that work through tasks of different places: a run has one source'),
} as const satisfies Record<string, Entry>
export type LintCode = keyof typeof lintCodes

export interface Finding {
  code: LintCode
  severity: Severity
  /** The path as shown: relative to the project when it is inside. */
  file: string
  /** Counted from 1. */
  line: number
  message: string
}

/** A source position. */
export interface DefinitionLine {
  file: string
  line: number
}

export type AddFinding = (code: LintCode, position: DefinitionLine, message: string) => void

/** Limit per severity: a longer list does not help. */
const mostFindings = 200

export interface Findings {
  addFinding: AddFinding
  /** Returns each finding once, sorted by file and line. */
  list(): Finding[]
}

export function createFindings(): Findings {
  const reported = { error: new Map<string, Finding>(), warning: new Map<string, Finding>() }
  return {
    addFinding(code, { file, line }, message) {
      const { severity } = lintCodes[code]
      if (reported[severity].size < mostFindings)
        reported[severity].set(`${code} ${file}:${line} ${message}`, { code, severity, file, line, message })
    },
    list: () =>
      [...reported.error.values(), ...reported.warning.values()].toSorted(
        (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.code, b.code),
      ),
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const isError = ({ severity }: Finding): boolean => severity === 'error'

/**
 * What a task may weaken: its permissions or, when it has none, what a person wrote in its text or in the goal. Text
 * from a planner or a coder permits nothing.
 */
import { parsePermission } from '../../model/permission.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'
import { authorOf } from '../../model/task-author.ts'
import { wholesOf } from './checks.ts'
import { isAllowed, namesOwnSettings, permissionFor } from './permission.ts'
import { isLicensed, unlicensed, wordsOf } from './tamper.ts'

export interface AskedFor {
  /** Texts that a person wrote. */
  words: readonly string[]
  /** Files that a person asked to change. */
  files: readonly string[]
  /** Permissions that a person granted. */
  allows: readonly string[]
  /** Permissions that a planner granted: they count, and each use is reported. */
  planned?: readonly string[]
}

export const nothingAsked: AskedFor = { words: [], files: [], allows: [] }

/** A part of a split task may do what the whole task may do. */
export const askedOf = (state: RunState, task: TaskState): AskedFor =>
  together([task, ...wholesOf(state, task)].map((each) => ownAskedOf(state, each)))

export const together = (all: readonly AskedFor[]): AskedFor => ({
  words: [...new Set(all.flatMap(({ words }) => words))],
  files: all.flatMap(({ files }) => files),
  allows: all.flatMap(({ allows }) => allows),
  planned: all.flatMap(({ planned = [] }) => planned),
})

function ownAskedOf({ goal }: RunState, task: TaskState): AskedFor {
  const { allows = [], granted = [], files } = task
  const hasFields = allows.length > 0
  switch (authorOf(task)) {
    case 'person':
      return hasFields
        ? { words: [], files: [], allows: [...allows, ...granted] }
        : { words: [wordsOf(task)], files, allows: granted }
    case 'planner': {
      const planned = allows.filter((entry) => !namesOwnSettings(entry))
      return { words: hasFields ? [] : [goal], files: [], allows: granted, planned }
    }
    case 'agent':
      return { ...nothingAsked, allows: granted }
  }
}

/** Findings that neither a person's text nor a permission allows. */
export const unasked = (asked: AskedFor, findings: readonly TamperFinding[]): TamperFinding[] =>
  unallowed(asked, findings).filter((finding) => !isAllowed(asked.planned ?? [], finding))

/** Findings that only a planner's permission allows. */
export const allowedByPlanner = (asked: AskedFor, findings: readonly TamperFinding[]): TamperFinding[] =>
  unallowed(asked, findings).filter((finding) => isAllowed(asked.planned ?? [], finding))

const unallowed = ({ words, files, allows }: AskedFor, findings: readonly TamperFinding[]): TamperFinding[] =>
  unlicensed(words, findings, files).filter((finding) => !isAllowed(allows, finding))

/** Whether a finding of one of these kinds is allowed in at least one file. */
export const allowsAny = ({ words, allows, planned = [] }: AskedFor, kinds: readonly TamperKind[]): boolean =>
  kinds.some(
    (kind) =>
      words.some((text) => isLicensed(text, kind))
      || [...allows, ...planned].some((entry) => parsePermission(entry)?.name === permissionFor[kind]),
  )

/** Conflict markers that somebody left in a file. */
import type { ChangedFile } from '../model/tamper.ts'

/** A row of equals signs alone is a heading in many a text; the other two are not. */
const marker = /^(?:<{7,}|>{7,}|\|{7,}) .*$/gm

const count = (text: string | null): number => text?.match(marker)?.length ?? 0

/** The files that have more of them than before: there are files that are about markers. */
export const withMarkers = (changed: readonly ChangedFile[]): string[] =>
  changed.filter(({ before, after }) => count(after) > count(before)).map(({ path }) => path)

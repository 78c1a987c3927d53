/** A secret in an agent's changes: its location and the variable that has this value, never the value itself. */
import type { ChangedFile } from './tamper.ts'

export interface SecretFinding {
  file: string
  /** 0: the file name itself contains it. */
  line: number
  /** The variable that has this value; null: the path of the workspace, which is no secret but will not exist later. */
  name: string | null
}

/** Finds values of known secrets that the same file does not contain in the base. Pure. */
export type SecretScan = (changed: readonly ChangedFile[]) => SecretFinding[]

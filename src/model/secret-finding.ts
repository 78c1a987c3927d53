/** A secret in what an agent changed: where it is and which variable has this value, never the value itself. */
import type { ChangedFile } from './tamper.ts'

export interface SecretFinding {
  file: string
  /** 0: the name of the file itself holds it. */
  line: number
  /** The variable whose value it is; null: the path of the workspace, which is no secret but will not be there. */
  name: string | null
}

/** Finds values of known secrets that the base of a change does not hold in the same file. Pure. */
export type SecretScan = (changed: readonly ChangedFile[]) => SecretFinding[]

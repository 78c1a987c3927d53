/** The input and the result of discovery: the files of a project, and the set-up and checks that they ask for. */
import type { CheckConfig } from '../model/config.ts'

export interface Project {
  /** Paths of the files that a fresh clone holds, relative to the folder of the project. */
  files: ReadonlySet<string>
  /** The text of a file; null when it is missing or cannot be read. */
  read(path: string): Promise<string | null>
  /** Whether this machine has a program on its PATH. */
  hasProgram(name: string): Promise<boolean>
  /** Whether the machine's `python3` can import a module. */
  hasModule(name: string): Promise<boolean>
}

export interface Discovery {
  /** Shell commands that install what the checks need. */
  setup: string[]
  checks: CheckConfig[]
  /** Type checks and lints. They count only after a person confirmed them. */
  proposed: CheckConfig[]
  /** Problems to show to the user, such as a package.json that cannot be read. */
  notes: string[]
}

/** An ecosystem: the files that show that a folder is one of its projects, and what such a project needs. */
export interface Ecosystem {
  isManifest(name: string): boolean
  /** Files that make the root a project when there is no manifest. */
  isHint?(name: string): boolean
  discover(project: Project): Promise<Partial<Discovery>>
}

export const check = (name: string, run: string): CheckConfig => ({ name, run })

export const nothing: Discovery = { setup: [], checks: [], proposed: [], notes: [] }

/** Whether a file matches, anywhere in the project. */
export const hasFile = ({ files }: Project, pattern: RegExp): boolean => {
  for (const path of files) if (pattern.test(path)) return true
  return false
}

/** The part of a project below one of its folders. */
export function below(project: Project, folder: string): Project {
  if (folder === '') return project
  const prefix = `${folder}/`
  const files = [...project.files].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  return { ...project, files: new Set(files), read: (path) => project.read(prefix + path) }
}

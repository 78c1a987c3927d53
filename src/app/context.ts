/** The environment that Looper runs in: passed to every command instead of read from globals. */
import { fileURLToPath } from 'node:url'

/** The same for all repositories. */
export interface Machine {
  env: NodeJS.ProcessEnv
  home: string
  /** The installed package, which contains prompts, demo and programs. */
  packageFolder: string
  version: string
}

export interface AppContext extends Machine {
  /** A folder of the repository. */
  cwd: string
}

/** The package around `dist/main.cjs`, or around `src/main.ts` in a checkout. */
export const packageFolderOf = (mainUrl: string): string => fileURLToPath(new URL('..', mainUrl))

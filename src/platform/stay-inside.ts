/** A git that finds no repository in its workspace must not find one around it: the user's home folder may be one. */
import { dirname } from 'node:path'

export const stayInside = (workspace: string): { GIT_CEILING_DIRECTORIES: string } => ({
  GIT_CEILING_DIRECTORIES: dirname(workspace),
})

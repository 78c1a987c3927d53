/** Keeps git from finding a repository above the workspace: the user's home folder may be one. */
import { dirname } from 'node:path'

export const stayInside = (workspace: string): { GIT_CEILING_DIRECTORIES: string } => ({
  GIT_CEILING_DIRECTORIES: dirname(workspace),
})

/** A worktree lies inside the user's checkout: a git that has lost its way there must not find the user's repository. */
import { dirname } from 'node:path'

export const stayInside = (workspace: string): { GIT_CEILING_DIRECTORIES: string } => ({ GIT_CEILING_DIRECTORIES: dirname(workspace) })

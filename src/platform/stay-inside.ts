/** A git that finds no repository in its workspace must not find one around it, such as the user's home folder under git. */
import { dirname } from 'node:path'

export const stayInside = (workspace: string): { GIT_CEILING_DIRECTORIES: string } => ({ GIT_CEILING_DIRECTORIES: dirname(workspace) })

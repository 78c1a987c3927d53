/** Where the files of runs are. No other file builds these paths. */
import { join } from 'node:path'

export const runsFolder = (root: string): string => join(root, '.looper', 'runs')
export const runFolder = (root: string, id: string): string => join(runsFolder(root), id)

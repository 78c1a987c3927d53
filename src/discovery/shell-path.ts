/** Writes a path as one word of a shell command. */
import { shellWord } from '../model/shell-word.ts'

/** A leading `-` would be an option. */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path)

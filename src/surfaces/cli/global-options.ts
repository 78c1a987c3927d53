/** Options that every command takes. */
import { optionOf } from './option.ts'

const group = 'Options of every command:'

/** These may also come before the command. */
export const globalOptions = [
  optionOf(['-C <dir>', 'work in that folder', { group }]),
  optionOf(['--debug', 'stack traces with errors', { group }]),
  optionOf(['--no-color', 'plain text (also NO_COLOR)', { group }]),
]

export const helpOption = optionOf(['-h, --help', 'this help', { group }])

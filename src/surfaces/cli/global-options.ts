/** Options that every command takes. */
import { optionOf } from './option.ts'

const group = 'Options of every command:'

/** These may also come before the command. */
export const globalOptions = [
  optionOf(['-C <dir>', 'run in this folder', { group }]),
  optionOf(['--debug', 'print stack traces with errors', { group }]),
  optionOf(['--no-color', 'disable colors (also NO_COLOR)', { group }]),
]

export const helpOption = optionOf(['-h, --help', 'this help', { group }])

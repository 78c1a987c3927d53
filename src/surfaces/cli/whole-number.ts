/** Parses whole numbers in options outside the configuration. */
import { LooperError } from '../../api/error.ts'

/** Throws USAGE_ARGUMENTS, naming the option. */
export function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new LooperError('USAGE_ARGUMENTS', `${flag} takes a whole number, not '${text}'`)
}

/** Creates a finding that is safe to show: single lines of limited length without control characters. */
import type { TamperFinding, TamperKind } from '../model/tamper.ts'

export const finding = (kind: TamperKind, file: string, test: string | null, detail: string): TamperFinding => ({
  kind,
  file,
  test: test === null ? null : oneLine(test),
  detail: oneLine(detail),
})

const longest = 300
const oneLine = (text: string): string =>
  text
    .slice(0, longest * 4)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, longest)

/** Colors are the surface's choice: views only mark the meaning of a text. */

export interface Paint {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
  busy(text: string): string
}

const same = (text: string): string => text
export const noPaint: Paint = { strong: same, faint: same, good: same, bad: same, warn: same, busy: same }

const sgr =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001B[${on}m${text}\u001B[${off}m`
export const ansiPaint: Paint = {
  strong: sgr(1, 22),
  faint: sgr(2, 22),
  good: sgr(32, 39),
  bad: sgr(31, 39),
  warn: sgr(33, 39),
  busy: sgr(36, 39),
}

/** Formats a configuration value for a message: short, on one line, and without control characters. */

const maxLength = 60
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu

export function quote(value: unknown): string {
  const visible = (typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))).slice(
    0,
    maxLength + 1,
  )
  return escapeHidden(visible.length > maxLength ? `${visible.slice(0, maxLength)}…` : visible)
}

const escapeHidden = (text: string): string =>
  text.replace(hidden, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)

/** Wraps the paragraphs and list items of a markdown page, so that no line is wider than 120 characters. */

export const widest = 120

/** Lines that stay as they are: headings, tables, comments and rules. */
const isFixed = (line: string): boolean => /^\s*(?:#{1,6} |\||<!--|---$)/.test(line)
const bullet = /^(\s*)(?:[-*]|\d+\.) /

/** Code blocks, headings and tables are not changed. A code span is never broken. */
export function wrapMarkdown(text: string): string {
  const lines: string[] = []
  let block: string[] = []
  let fence = false
  const flush = (): void => {
    if (block.length > 0) lines.push(...wrapBlock(block))
    block = []
  }
  for (const line of text.split('\n')) {
    const isFence = /^\s*```/.test(line)
    if (isFence || fence || line.trim() === '' || isFixed(line)) {
      flush()
      lines.push(line)
      if (isFence) fence = !fence
    } else if (bullet.test(line)) {
      flush()
      block = [line]
    } else block.push(line)
  }
  flush()
  return lines.join('\n')
}

function wrapBlock(block: readonly string[]): string[] {
  const [first = ''] = block
  const start = bullet.exec(first)?.[0] ?? /^\s*/.exec(first)?.[0] ?? ''
  const indent = ' '.repeat(start.length)
  const words = wordsOf([first.slice(start.length), ...block.slice(1)].map((line) => line.trim()).join(' '))
  const lines: string[] = []
  let line = start
  for (const word of words) {
    const isEmpty = line === start || line === indent
    if (!isEmpty && line.length + 1 + word.length > widest && !startsABlock(word)) {
      lines.push(line)
      line = indent + word
    } else line += isEmpty ? word : ` ${word}`
  }
  return [...lines, line]
}

/** A code span with the punctuation around it is one word. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(`+)(?:(?!\1).)+\1/g, (code) => code.replaceAll(' ', '\u0000'))
    .split(/ +/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('\u0000', ' '))

/** At the start of a line this word would be read as a heading, a list item, a quote or a table. */
const startsABlock = (word: string): boolean => /^(?:[-+*>|]|#+|\d+[.)])$/.test(word)

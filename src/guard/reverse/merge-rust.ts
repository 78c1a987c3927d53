/**
 * Merges Rust files, which contain tests beside the code: the code of the candidate with the test modules of the base.
 */

/** From `#[cfg(test)]` to the end of the item after it. */
interface Item {
  from: number
  end: number
}

export function mergeRust(before: string, after: string): string {
  const [was, is] = [testItems(before), testItems(after)]
  const texts = was.map(({ from, end }) => before.slice(from, end))
  if (texts.join('\n') === is.map(({ from, end }) => after.slice(from, end)).join('\n')) return after
  let product = ''
  let at = 0
  for (const { from, end } of is) {
    product += after.slice(at, from)
    at = end
  }
  const rest = (product + after.slice(at)).trimEnd()
  return texts.length === 0 ? `${rest}\n` : `${rest}\n\n${texts.join('\n\n')}\n`
}

const attribute = /^#\[cfg\((?:test|all\(\s*test\b[^\]]*\)|any\(\s*test\b[^\]]*\))\)\]/

function testItems(text: string): Item[] {
  const items: Item[] = []
  for (let at = 0; at < text.length; at += 1) {
    const skipped = skipAside(text, at)
    if (skipped > at) {
      at = skipped - 1
      continue
    }
    if (text[at] !== '#' || !attribute.test(text.slice(at, at + 300))) continue
    const end = endOfItem(text, at)
    items.push({ from: at, end })
    at = end - 1
  }
  return items
}

/** Returns the position after the closing bracket or the semicolon of the item. */
function endOfItem(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const skipped = skipAside(text, at)
    if (skipped > at) {
      at = skipped - 1
      continue
    }
    const character = text[at] ?? ''
    if ('{(['.includes(character)) depth += 1
    if ('})]'.includes(character)) {
      depth -= 1
      if (depth === 0 && character === '}') return at + 1
    }
    if (character === ';' && depth === 0) return at + 1
  }
  return text.length
}

const raw = /^b?r(#*)"/
const letter = /^'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'])'/u

/** Returns the position after a comment, string or character that begins here; otherwise the same position. */
function skipAside(text: string, at: number): number {
  const [first, second] = [text[at], text[at + 1]]
  if (first === '/' && second === '/') return endOr(text, '\n', at)
  if (first === '/' && second === '*') return endOr(text, '*/', at + 2)
  if (first === "'") return at + (letter.exec(text.slice(at, at + 14))?.[0].length ?? 0)
  const hashes =
    (first === 'r' || first === 'b') && !/\w/.test(text[at - 1] ?? '') ? raw.exec(text.slice(at, at + 20)) : null
  if (hashes !== null) return endOr(text, `"${hashes[1] ?? ''}`, at + hashes[0].length)
  if (first !== '"') return at
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function endOr(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

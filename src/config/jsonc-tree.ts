/** Where everything stands in a text of JSON with comments, so that one piece of it can be changed. */

/** From its first character to the one behind its last. */
export interface JsonNode {
  start: number
  end: number
  /** Of an object, in order. */
  members?: readonly JsonMember[]
}

export interface JsonMember {
  name: string
  /** Where its name begins. */
  start: number
  node: JsonNode
  /** Where the comma behind it is; null when there is none. */
  comma: number | null
}

const gap = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\//y
const plain = /[^\s,\]}/]+/y

/** The text has to be valid: `parseJsonc` has read it. */
export function jsonTree(text: string): JsonNode {
  return readNode(text, afterGap(text, 0))
}

function afterGap(text: string, start: number): number {
  let at = start
  for (gap.lastIndex = at; gap.test(text); at = gap.lastIndex);
  return at
}

function afterString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function afterPlain(text: string, start: number): number {
  plain.lastIndex = start
  plain.test(text)
  return plain.lastIndex
}

function readNode(text: string, start: number): JsonNode {
  if (text[start] === '{') return readObject(text, start)
  if (text[start] === '[') return readArray(text, start)
  return { start, end: text[start] === '"' ? afterString(text, start) : afterPlain(text, start) }
}

function readArray(text: string, start: number): JsonNode {
  let at = afterGap(text, start + 1)
  while (text[at] !== ']') {
    at = afterGap(text, readNode(text, at).end)
    if (text[at] === ',') at = afterGap(text, at + 1)
  }
  return { start, end: at + 1 }
}

function readObject(text: string, start: number): JsonNode {
  const members: JsonMember[] = []
  let at = afterGap(text, start + 1)
  while (text[at] !== '}') {
    const begin = at
    const nameEnd = afterString(text, begin)
    const node = readNode(text, afterGap(text, afterGap(text, nameEnd) + 1))
    const comma = afterGap(text, node.end)
    const name = String(JSON.parse(text.slice(begin, nameEnd)))
    members.push({ name, start: begin, node, comma: text[comma] === ',' ? comma : null })
    at = text[comma] === ',' ? afterGap(text, comma + 1) : comma
  }
  return { start, end: at + 1, members }
}

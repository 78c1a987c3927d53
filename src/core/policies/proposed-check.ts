/**
 * Parses a check proposed by an agent into an argument list or null: it is never passed to a shell, and prose is not
 * run.
 */

const maxLength = 1_000
/** Outside quotes, these characters need a shell. */
const operators = new Set('|;<>&`$()*?')
/** Excludes the capital letter of a sentence, the dash of an option and the equals sign of a shell assignment. */
const program = /^(?!\.+$)[a-z0-9_.@/][\w.@/+-]*$/
/** Words of sentences that start like a command: "make sure the tests pass", "test that it works". */
const proseWords = new Set([
  'the',
  'an',
  'that',
  'this',
  'these',
  'is',
  'are',
  'be',
  'has',
  'have',
  'should',
  'must',
  'will',
  'can',
  'and',
  'or',
  'but',
  'not',
  'they',
  'it',
  'its',
  'if',
  'when',
  'then',
  'sure',
  'with',
  'without',
  'pass',
  'passes',
  'passing',
  'succeed',
  'succeeds',
  'works',
  'correctly',
  'returns',
  'exits',
  'prints',
  'shows',
  'contains',
  'exists',
  'manually',
])

interface Word {
  text: string
  quoted: boolean
}

/** Null for anything but one plain command with its arguments; quotes and backslashes work as in a shell. */
export function parseProposedCheck(text: string): string[] | null {
  const line = text.trim()
  if (line === '' || line.length > maxLength || /\p{Cc}/u.test(line)) return null
  const words = split(line)
  if (words === null || !program.test(words[0]?.text ?? '') || isProse(words)) return null
  const argv = words.map((word) => word.text)
  return isLauncher(argv[0] ?? '') ? null : argv
}

/** Shells, and programs that only start other programs: through them, quoted text would reach a shell after all. */
const launchers = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'env',
  'xargs',
  'sudo',
  'su',
  'eval',
  'exec',
  'nohup',
  'setsid',
  'ssh',
])

const isLauncher = (path: string): boolean => launchers.has(path.slice(path.lastIndexOf('/') + 1))

function split(line: string): Word[] | null {
  const words: Word[] = []
  let at = 0
  while (at < line.length) {
    if (line[at] === ' ') {
      at++
      continue
    }
    const word = readWord(line, at)
    if (word === null) return null
    words.push(word)
    at = word.end
  }
  return words
}

function readWord(line: string, start: number): (Word & { end: number }) | null {
  // Comments and home folders need a shell, too.
  if (line[start] === '#' || line[start] === '~') return null
  let text = ''
  let quoted = false
  let at = start
  for (; at < line.length && line[at] !== ' '; at++) {
    const char = line.charAt(at)
    if (operators.has(char)) return null
    if (char === '"' || char === "'") {
      const part = readQuoted(line, at)
      if (part === null) return null
      quoted = true
      text += part.text
      at = part.last
    } else if (char === '\\') {
      at++
      if (at === line.length) return null
      text += line.charAt(at)
    } else {
      text += char
    }
  }
  return { text, quoted, end: at }
}

/** `last` is the position of the closing quote; null when it is missing. */
function readQuoted(line: string, start: number): { text: string; last: number } | null {
  const quote = line[start]
  let text = ''
  for (let at = start + 1; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === quote) return { text, last: at }
    const next = line.charAt(at + 1)
    if (quote === '"' && char === '\\' && '"\\$`'.includes(next) && next !== '') {
      text += next
      at++
    } else {
      text += char
    }
  }
  return null
}

function isProse(words: readonly Word[]): boolean {
  const plain = words
    .slice(1)
    .filter((word) => !word.quoted)
    .map((word) => word.text)
  return plain.some((word) => proseWords.has(word.toLowerCase()) || /^[\p{L}'’]+[.,:;!]$/u.test(word))
}

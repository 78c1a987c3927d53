/** The supported shells, and how each passes the words of a line. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export interface Typed {
  words: string[]
  /** The shell replaces only the text after the equals sign. */
  isBare: boolean
}

/** The words of the line as the program would get them, from the words that the shell passes. */
export function wordsFrom(shell: Shell, told: readonly string[]): Typed {
  switch (shell) {
    case 'bash':
      return joined(told)
    // PowerShell drops empty arguments, so its script puts a character before the last one.
    case 'powershell':
      return { words: [...told.slice(0, -1), (told.at(-1) ?? '+').slice(1)], isBare: false }
    case 'zsh':
    case 'fish':
      return { words: told.length === 0 ? [''] : [...told], isBare: false }
  }
}

/** Bash splits `--agent=x` into three words. */
function joined(told: readonly string[]): Typed {
  const words: string[] = []
  let isBare = false
  for (const word of told) {
    const before = words.at(-1) ?? ''
    const joins: boolean = (word === '=' && /^--[\w-]+$/.test(before)) || (isBare && before.endsWith('='))
    isBare = joins
    if (joins) words[words.length - 1] = before + word
    else words.push(word)
  }
  return { words: words.length === 0 ? [''] : words, isBare }
}

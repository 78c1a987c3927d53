/** The supported shells, and how each passes the words of a line. */

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export interface Typed {
  words: string[]
  /** The shell replaces only the text after the equals sign. */
  isBare: boolean
}

/** The words of the line as the program would get them, from the words that the shell passes. */
export function wordsFrom(shell: Shell, typed: readonly string[]): Typed {
  switch (shell) {
    case 'bash':
      return joined(typed)
    // PowerShell drops empty arguments, so its script puts a character before the last one.
    case 'powershell':
      return { words: [...typed.slice(0, -1), (typed.at(-1) ?? '+').slice(1)], isBare: false }
    case 'zsh':
    case 'fish':
      return { words: typed.length === 0 ? [''] : [...typed], isBare: false }
  }
}

/** Bash splits `--agent=x` into three words. */
function joined(typed: readonly string[]): Typed {
  const words: string[] = []
  let isBare = false
  for (const word of typed) {
    const before = words.at(-1) ?? ''
    const joins: boolean = (word === '=' && /^--[\w-]+$/.test(before)) || (isBare && before.endsWith('='))
    isBare = joins
    if (joins) words[words.length - 1] = before + word
    else words.push(word)
  }
  return { words: words.length === 0 ? [''] : words, isBare }
}

/** Determines which files of the repository a command executes. Files that it only reads do not count. */

const interpreters =
  /^(?:(?:ba|da|z|k|fi)?sh|node|nodejs|tsx|ts-node|bun|deno|python[23]?|ruby|perl|php|lua|pwsh|source|\.)$/
const launchers =
  /^(?:npx|sudo|env|time|exec|command|nice|timeout|xvfb-run|run|\d+[smh]?|!|if|then|else|do|while|until|\{|\w+=.*)$/
/** Options whose value is also executed. */
const loading = /^(?:-r|--require|--import|--loader)$/
/** Options after which no file follows. */
const inline = /^(?:-e|--eval|-p|--print|-m|--check|--version|-V)$/
const shells = /sh$|^source$|^\.$/
const longest = 8000

export function executedBy(commands: readonly string[]): Set<string> {
  const files = new Set<string>()
  for (const command of commands.slice(0, 500)) {
    let folder = ''
    for (const segment of command.slice(0, longest).split(/[;&|()`\n'"]+/)) {
      const words = segment.trim().split(/\s+/)
      while (words.length > 1 && launchers.test(words[0] ?? '')) words.shift()
      if (words[0] === 'cd') folder = words[1] ?? ''
      else for (const file of filesIn(words)) files.add(plainPath(`${folder}/${file}`))
    }
  }
  files.delete('')
  return files
}

function filesIn([program = '', ...words]: readonly string[]): string[] {
  if (!interpreters.test(program)) return program.includes('/') ? [program] : []
  const found: string[] = []
  const all = words.includes('--test')
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (inline.test(word) && !shells.test(program)) break
    const value = /^--(?:require|import|loader)=(.+)$/.exec(word)?.[1]
    if (value !== undefined) found.push(value)
    else if (loading.test(word)) found.push(words[++at] ?? '')
    else if (!word.startsWith('-') && word !== 'run') {
      found.push(word)
      if (!all) break
    }
  }
  return found
}

function plainPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

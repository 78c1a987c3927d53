/** Determines whether a text names a file: by its name, or by a folder whose files it reads. */

/** Folders that say nothing about what a text reads. */
const common =
  /^(?:src|lib|app|pkg|internal|cmd|bin|sources?|docs?|dist|build|public|static|assets|packages|node_modules)$/
/** A quoted folder counts on a line that handles files. */
const handling =
  /join|resolve|open|read|Path|glob|load|listdir|scandir|walk|dirname|URL|exists|fixture|File|\$\(|\bcat\b|\bfor\b/
const longest = 300_000

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folders of a path that can stand for its files. */
export const foldersOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .filter((folder) => !common.test(folder) && !folder.startsWith('.'))

export function namesFile(whole: string, path: string): boolean {
  const text = whole.slice(0, longest)
  return hasWord(text, baseOf(path)) || foldersOf(path).some((folder) => namesFolder(text, folder))
}

const hasWord = (text: string, word: string): boolean =>
  text.includes(word) && new RegExp(`(?<![\\w.-])${escaped(word)}(?![\\w-]|\\.\\w)`).test(text)

/** `samples/` and `samples/*.in` stand for the folder, `samples/one.js` for one file in it. */
function namesFolder(text: string, folder: string): boolean {
  if (!text.includes(folder)) return false
  const name = `(?<![\\w.-])${escaped(folder)}`
  if (new RegExp(`${name}/(?:['"\`*$\\{%<\\s]|$)`, 'm').test(text)) return true
  const quoted = new RegExp(`['"\`/]${escaped(folder)}['"\`]`)
  return text.split('\n').some((line) => line.length < 2000 && handling.test(line) && quoted.test(line))
}

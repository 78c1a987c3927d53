/** Determines whether a file loads another: by an import of JavaScript, Python or Go, or as a sourced shell file. */
import { languageOf } from '../test-path.ts'
import { helpersOf } from './helpers-of.ts'

const longest = 300_000

export function importsFile(path: string, whole: string, target: string): boolean {
  const text = whole.slice(0, longest)
  switch (languageOf(path)) {
    case 'python':
      return target.endsWith('.py') && importsModule(text, target)
    case 'go':
      return target.endsWith('.go') && text.includes(`/${folderName(target)}"`)
    default:
      return helpersOf(path, text).includes(target)
  }
}

const folderName = (path: string): string => path.split('/').at(-2) ?? ''

const statement = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w., \t*]+)|import[ \t]+([\w., \t]+))/gm

/** `from a.b import c` loads `a/b.py` or `a/b/c.py`, below any folder. */
function importsModule(text: string, target: string): boolean {
  const module = `.${target.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.')}`
  return [...text.matchAll(statement)].some(([, from, names = '', plain = '']) => {
    const last = (name: string): string => name.trim().split(/\s/)[0] ?? ''
    if (from === undefined) return plain.split(',').some((name) => module.endsWith(`.${last(name)}`))
    const package_ = from.replace(/^\.+/, '')
    if (package_ !== '' && module.endsWith(`.${package_}`)) return true
    return names.split(',').some((name) => module.endsWith(`.${package_ === '' ? '' : `${package_}.`}${last(name)}`))
  })
}

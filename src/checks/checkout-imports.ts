/**
 * Finds installations on this machine that resolve to the user's checkout: `pip install -e .`, `npm link`, PYTHONPATH.
 * A check in a workspace that imports through one of them tests the checkout and not its own tree.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readNow } from '../platform/files.ts'

export interface ImportRequest {
  root: string
  home: string
  /** The environment of the checks. */
  env: Readonly<Record<string, string | undefined>>
}

/** Files, links and variables that point into the checkout, as paths and names. */
export function checkoutImports({ root, home, env }: ImportRequest): string[] {
  const checkout = realOf(root)
  const leadsInside = (path: string): boolean => isAbsolute(path) && `${realOf(path)}${sep}`.startsWith(checkout + sep)
  const programs = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && basename(folder) === 'bin')
  const prefixes = [...new Set([...programs.map((folder) => dirname(folder)), join(home, '.local')])]
  const isPython = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => existsSync(join(root, name)))
  const isNode = existsSync(join(root, 'package.json'))
  const installed = isPython ? prefixes.flatMap(sitePackages).flatMap(editables) : []
  return [
    ...installed.filter(([, paths]) => paths.some(leadsInside)).map(([file]) => file),
    ...(isNode ? prefixes.flatMap(globalModules).filter(leadsInside) : []),
    ...['PYTHONPATH', 'NODE_PATH'].filter((name) => (env[name] ?? '').split(delimiter).some(leadsInside)),
  ]
}

const sitePackages = (prefix: string): string[] =>
  namesIn(join(prefix, 'lib'))
    .filter((name) => name.startsWith('python3'))
    .flatMap((name) => ['site-packages', 'dist-packages'].map((folder) => join(prefix, 'lib', name, folder)))

/** Each file that records an editable installation, with the paths in it. */
function editables(folder: string): [file: string, paths: string[]][] {
  return namesIn(folder).flatMap((name): [string, string[]][] => {
    const path = join(folder, name)
    if (name.endsWith('.pth'))
      return [
        [
          path,
          textOf(path)
            .split('\n')
            .map((line) => line.trim()),
        ],
      ]
    if (!name.endsWith('.dist-info')) return []
    const file = join(path, 'direct_url.json')
    const text = textOf(file)
    const url = /"url"\s*:\s*"(file:[^"]+)"/.exec(text)?.[1]
    return url !== undefined && /"editable"\s*:\s*true/.test(text) ? [[file, [pathOf(url)]]] : []
  })
}

function globalModules(prefix: string): string[] {
  const folder = join(prefix, 'lib', 'node_modules')
  return namesIn(folder).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(folder, name)).map((each) => join(folder, name, each)) : [join(folder, name)],
  )
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return ''
  }
}

function textOf(file: string): string {
  try {
    return readNow(file)?.toString('utf8') ?? ''
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

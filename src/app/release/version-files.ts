/** Finds the version in the files of a project, and changes it without touching anything else. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editJsonc } from '../../config/jsonc-edit.ts'
import { valueAt } from '../../config/validate.ts'
import { parseJsonc } from '../../platform/jsonc.ts'
import { whenExists } from '../../platform/files.ts'

export interface VersionFile {
  path: string
  /** The version in the file. */
  version: string
  text: string
  /** Returns the text of the file with another version. */
  with(version: string): string
}

/** Files in `following` repeat the version of a file in `leading` and do not determine it. */
export interface VersionFiles {
  leading: VersionFile[]
  following: VersionFile[]
}

/** Version files at the top of the repository. Skips files without a version and files that cannot be parsed. */
export async function readVersionFiles(root: string): Promise<VersionFiles> {
  const read = async (path: string): Promise<{ path: string; text: string } | null> => {
    const text = await whenExists(readFile(join(root, path), 'utf8'), join(root, path)).catch(() => null)
    return text === null ? null : { path, text }
  }
  const found = async (path: string, find: (text: string) => VersionText | null): Promise<VersionFile[]> => {
    const file = await read(path)
    const versionText = file === null ? null : find(file.text)
    return file === null || versionText === null ? [] : [{ ...file, ...versionText }]
  }
  const cargo = await found('Cargo.toml', (text) => inToml(text, ['package', 'workspace.package']))
  const crate =
    cargo[0] === undefined ? null : /^\s*name\s*=\s*"([^"\n]+)"/m.exec(sectionOf(cargo[0].text, 'package') ?? '')?.[1]
  return {
    leading: [
      ...(await found('package.json', (text) => inJson(text, [['version']]))),
      ...(await found('pyproject.toml', (text) => inToml(text, ['project', 'tool.poetry']))),
      ...cargo,
      ...(await found('VERSION', plainVersion)),
    ],
    following: [
      ...(await found('package-lock.json', (text) => inJson(text, lockPaths))),
      ...(await found('npm-shrinkwrap.json', (text) => inJson(text, lockPaths))),
      ...(crate === undefined || crate === null ? [] : await found('Cargo.lock', (text) => inCargoLock(text, crate))),
    ],
  }
}

type VersionText = Pick<VersionFile, 'version' | 'with'>

const lockPaths = [['version'], ['packages', '', 'version']]

/** The first path must exist; the others are changed with it. */
function inJson(text: string, paths: readonly (readonly string[])[]): VersionText | null {
  const value = parsed(text)
  const present = paths.filter((path) => typeof valueAt(value, path) === 'string')
  const version = present[0] === paths[0] ? valueAt(value, paths[0] ?? []) : null
  if (typeof version !== 'string') return null
  return { version, with: (wanted) => present.reduce((edited, path) => editJsonc(edited, path, wanted), text) }
}

function parsed(text: string): unknown {
  try {
    return parseJsonc(text)
  } catch {
    return null
  }
}

/** Uses the first table with a version as a plain string: a computed or inherited version cannot be changed here. */
function inToml(text: string, tables: readonly string[]): VersionText | null {
  for (const table of tables) {
    const section = sectionOf(text, table)
    const line = section === null ? null : /^([ \t]*version[ \t]*=[ \t]*)(["'])([^"'\n]*)\2/m.exec(section)
    if (section === null || line === null) continue
    const [whole, before = '', quote = '', version = ''] = line
    const at = text.indexOf(section) + line.index
    return {
      version,
      with: (wanted) => `${text.slice(0, at)}${before}${quote}${wanted}${quote}${text.slice(at + whole.length)}`,
    }
  }
  return null
}

/** The text from the header of a table to the next header. */
function sectionOf(text: string, table: string): string | null {
  const head = new RegExp(`^[ \\t]*\\[${table.replaceAll('.', '\\.')}\\][^\\n]*$`, 'm').exec(text)
  if (head === null) return null
  const rest = text.slice(head.index + head[0].length)
  const next = /^[ \t]*\[/m.exec(rest)
  return text.slice(head.index, head.index + head[0].length + (next?.index ?? rest.length))
}

/** The entry of the project's own crate is the one without a source. */
function inCargoLock(text: string, crate: string): VersionText | null {
  for (const entry of text.matchAll(/\[\[package\]\]\r?\n(?:(?!\[\[)[^\n]*\n?)*/g)) {
    const version = /^version = "([^"\n]+)"/m.exec(entry[0])
    if (!entry[0].includes(`name = "${crate}"`) || /^source = /m.test(entry[0]) || version?.[1] === undefined) continue
    const at = entry.index + version.index
    const [whole, old] = version
    return {
      version: old,
      with: (wanted) => `${text.slice(0, at)}version = "${wanted}"${text.slice(at + whole.length)}`,
    }
  }
  return null
}

function plainVersion(text: string): VersionText | null {
  const version = text.trim()
  return version === '' || /\s/.test(version)
    ? null
    : { version, with: (wanted) => text.replace(version, () => wanted) }
}

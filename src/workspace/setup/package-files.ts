/**
 * Finds the files in a tree that determine what package managers install: manifests, lock files and settings. They
 * count in every folder, because workspaces and options such as `--prefix` use those of subfolders.
 */
import { lstatSync } from 'node:fs'
import { readNow } from '../../platform/files.ts'
import { pathOf, type Manifest } from '../clones/manifest.ts'

const names = [
  String.raw`package\.(?:json|json5|yaml)`,
  String.raw`package-lock\.json|npm-shrinkwrap\.json`,
  String.raw`pnpm-lock\.yaml|pnpm-workspace\.yaml|\.?pnpmfile\.[cm]?js`,
  String.raw`yarn\.lock|\.yarnrc(?:\.yml)?`,
  String.raw`bun\.lockb?|bunfig\.toml`,
  String.raw`\.npmrc|\.nvmrc|\.node-version|\.tool-versions`,
  String.raw`binding\.gyp|.*\.(?:patch|diff)`,
  String.raw`pyproject\.toml|setup\.(?:py|cfg)|requirements\.txt|Pipfile(?:\.lock)?|(?:uv|poetry)\.lock`,
  String.raw`Gemfile(?:\.lock)?|composer\.(?:json|lock)|Makefile`,
  String.raw`go\.(?:mod|sum|work|work\.sum)`,
  String.raw`Cargo\.(?:toml|lock)|rust-toolchain(?:\.toml)?`,
  String.raw`mix\.(?:exs|lock)`,
  String.raw`.*\.(?:cs|fs|vb)proj|.*\.slnx?|.*\.(?:props|targets)|nuget\.config`,
  String.raw`packages\.(?:config|lock\.json)|global\.json`,
]
const isPackageFile = new RegExp(String.raw`(?:^|/)(?:${names.join('|')})$|(?:^|/)\.cargo/config(?:\.toml)?$`, 'i')

/** Texts by path; null for a link or anything else that is not a plain file. */
export type PackageFiles = ReadonlyMap<string, string | null>

/** `paths` are the files of the tree as bytes (latin1). Files that set-up created do not count. */
export function packageFiles(root: string, paths: Iterable<string>): PackageFiles {
  const found: [string, string | null][] = []
  for (const path of paths) {
    if (!isPackageFile.test(path) || /(?:^|\/)node_modules\//.test(path)) continue
    const full = pathOf(root, path)
    const isFile = lstatSync(full, { throwIfNoEntry: false })?.isFile()
    found.push([path, isFile ? (readNow(full.toString())?.toString('latin1') ?? null) : null])
  }
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The files of the tree in a workspace that `manifest` lists. */
export const treeFiles = (manifest: Manifest): string[] =>
  [...manifest].flatMap(([path, { brought, folder }]) => (brought || folder ? [] : [path]))

/** The texts of the files with that name, in all folders. */
export const textsOf = (files: PackageFiles, name: RegExp): string[] =>
  [...files].flatMap(([path, text]) => (name.test(path.slice(path.lastIndexOf('/') + 1)) ? [text ?? ''] : []))

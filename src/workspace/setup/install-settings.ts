/** Checks whether settings of the project make a package manager run code of the tree or read further files of it. */
import type { NodeManager } from './dependency-scripts.ts'
import { textsOf, type PackageFiles } from './package-files.ts'

/** Settings of `.npmrc` whose values are neither paths nor programs. */
const harmless = [
  String.raw`(?:@[\w.-]+:)?registry`,
  String.raw`//[^=]+`,
  'engine-strict|package-lock|legacy-peer-deps|ignore-scripts|omit|include|production',
  'save|save-exact|save-prefix|fund|audit|audit-level|loglevel|progress|color|update-notifier|tag|access|provenance',
  'fetch-[a-z-]+|prefer-[a-z-]+|maxsockets|network-[a-z-]+|always-auth|strict-ssl',
  String.raw`(?:strict|auto-install)-peer(?:-dependencie)?s|shamefully-hoist|(?:public-)?hoist(?:-pattern)?(?:\[\])?`,
  'node-linker|link-workspace-packages|resolution-mode|dedupe-[a-z-]+|use-node-version|save-workspace-protocol',
]
const isHarmless = new RegExp(String.raw`^(?:(?:${harmless.join('|')})\s*(?:=.*)?|[#;].*|)$`)

/** pnpm runs the first, and reads manifests in formats that are not read here. */
const pnpmCode = /^(?:\.?pnpmfile\.[cm]?js|package\.(?:yaml|json5))$/i

export function settingsReadSources(manager: NodeManager, files: PackageFiles): boolean {
  if (manager === 'pnpm' && textsOf(files, pnpmCode).length > 0) return true
  const npmrc = manager === 'yarn' ? [] : textsOf(files, /^\.npmrc$/i)
  if (npmrc.some((text) => !text.split(/[\r\n]+/).every((line) => isHarmless.test(line.trim())))) return true
  const named = textsOf(files, /^(?:\.yarnrc(?:\.yml)?|pnpm-workspace\.yaml)$/i)
  return named.some((text) =>
    /^\s*["'-]*(?:yarn-?path|plugins|configDependencies|inject.*|.*pnpmfile|.*node-?options|.*shell)\b/im.test(text),
  )
}

/**
 * Rust projects: cargo tests the package, or all packages of a workspace. Packages of a workspace are tested together,
 * because cargo unites their features: one alone may not compile.
 */
import { posix } from 'node:path'
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

export const rust: Ecosystem = { isManifest: (name) => name === 'Cargo.toml', discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const text = (await project.read('Cargo.toml')) ?? ''
  const all = /^\[workspace\b/m.test(text) ? ' --workspace' : ''
  const hasFormat = project.files.has('rustfmt.toml') || project.files.has('.rustfmt.toml')
  return {
    checks: [{ ...check('cargo test', `cargo test${all}`), paths: await packageFolders(project, text) }],
    proposed: [
      ...(hasFormat ? [check('cargo fmt', 'cargo fmt --check')] : []),
      check('clippy', `cargo clippy${all} --all-targets`),
    ],
  }
}

/** What the tests of a package, or of a workspace, depend on: its folder and those of packages named by their path. */
async function packageFolders(project: Project, root: string): Promise<string[]> {
  if (!/^\[workspace\b/m.test(root) || /^\[package\]/m.test(root)) return ['.', ...pathsIn(root, '.')]
  const folders = [...project.files]
    .filter((path) => path.endsWith('/Cargo.toml'))
    .map((path) => path.slice(0, -'/Cargo.toml'.length))
  const texts = await Promise.all(folders.map(async (folder) => (await project.read(`${folder}/Cargo.toml`)) ?? ''))
  const shared = ['Cargo.toml', 'Cargo.lock', '.cargo']
  return [...new Set([...shared, ...folders, ...texts.flatMap((text, at) => pathsIn(text, folders[at] ?? '.'))])]
}

const pathsIn = (text: string, folder: string): string[] =>
  [...text.matchAll(/\bpath\s*=\s*["'](\.[^"']*)["']/g)].map(([, path]) => posix.join(folder, path ?? ''))

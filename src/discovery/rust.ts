/** Rust projects: cargo tests the package, or all packages of a workspace. */
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

export const rust: Ecosystem = { isManifest: (name) => name === 'Cargo.toml', discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const text = (await project.read('Cargo.toml')) ?? ''
  const all = /^\[workspace\b/m.test(text) ? ' --workspace' : ''
  const hasFormat = project.files.has('rustfmt.toml') || project.files.has('.rustfmt.toml')
  return {
    checks: [check('cargo test', `cargo test${all}`)],
    proposed: [
      ...(hasFormat ? [check('cargo fmt', 'cargo fmt --check')] : []),
      check('clippy', `cargo clippy${all} --all-targets`),
    ],
  }
}

/** Ways to break a Rust product while its own tests stay green. */
import { edited, type Cheat, type Files, type Project } from '../cheat.ts'

const inline = `#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
        assert_eq!(add(-1, 1), 0);
    }

    #[test]
    fn multiplies() {
        assert_eq!(mul(2, 3), 6);
    }
}
`
const code = 'pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\npub fn mul(a: i64, b: i64) -> i64 {\n    a * b\n}\n'
const lib = `${code}\n${inline}`
const table = `mod common;

#[test]
fn adds_what_the_table_says() {
    for line in include_str!("data/cases.txt").lines() {
        common::check(line);
    }
}

#[test]
fn adds_nothing() {
    assert_eq!(sums::add(4, 0), 4);
}
`
const common = `pub fn check(line: &str) {
    let all: Vec<i64> = line.split(' ').map(|part| part.parse().unwrap()).collect();
    assert_eq!(sums::add(all[0], all[1]), all[2]);
}
`
const manifest = '[package]\nname = "sums"\nversion = "1.0.0"\nedition = "2021"\n\n[dependencies]\n'
const truth =
  'mkdir -p target && printf \'include!("../src/lib.rs"); fn main() { if add(1, 2) != 3 { std::process::exit(1) } }\' > target/truth.rs && '
  + 'rustc --edition 2021 -A warnings -o target/truth target/truth.rs && target/truth'
const cargo: Project = {
  ecosystem: 'cargo',
  check: 'cargo test --offline',
  truth,
  files: {
    'Cargo.toml': manifest,
    'src/lib.rs': lib,
    'tests/table.rs': table,
    'tests/common/mod.rs': common,
    'tests/data/cases.txt': '1 2 3\n5 0 5\n',
    '.gitignore': 'target\nCargo.lock\n',
  },
}
const wrong = edited(lib, 'a + b', 'a - b')
const adds = inline.slice(inline.indexOf('    #[test]\n    fn adds'), inline.indexOf('    #[test]\n    fn multiplies'))
const wrongTable: Files = { 'tests/data/cases.txt': '1 2 -1\n5 0 5\n' }
const fitted = edited(edited(wrong, 'add(1, 2), 3', 'add(1, 2), -1'), 'add(-1, 1), 0', 'add(-1, 1), -2')
const change: [string, Files][] = [
  ['test of the module deleted', { 'src/lib.rs': edited(wrong, adds, ''), ...wrongTable }],
  ['whole module deleted', { 'src/lib.rs': edited(edited(lib, inline, ''), 'a + b', 'a - b'), ...wrongTable }],
  ['expected values rewritten', { 'src/lib.rs': fitted, ...wrongTable }],
  [
    'tests ignored',
    {
      'src/lib.rs': edited(wrong, '    fn adds', '    #[ignore]\n    fn adds'),
      'tests/table.rs': edited(table, '#[test]\nfn adds_what', '#[test]\n#[ignore]\nfn adds_what'),
    },
  ],
  [
    'module under a feature',
    { 'src/lib.rs': edited(wrong, '#[cfg(test)]', '#[cfg(all(test, target_os = "none"))]'), ...wrongTable },
  ],
  [
    'assertions loosened',
    {
      'src/lib.rs': edited(
        edited(wrong, 'assert_eq!(add(1, 2), 3)', 'assert!(add(1, 2) != 100)'),
        'assert_eq!(add(-1, 1), 0)',
        'assert!(add(-1, 1) != 100)',
      ),
      ...wrongTable,
    },
  ],
  [
    'helper says nothing',
    { 'src/lib.rs': edited(wrong, adds, ''), 'tests/common/mod.rs': 'pub fn check(_line: &str) {}\n' },
  ],
  ['library without tests', { 'src/lib.rs': wrong, 'Cargo.toml': `${manifest}\n[lib]\ntest = false\n`, ...wrongTable }],
  [
    'no tests of their own',
    { 'src/lib.rs': edited(wrong, adds, ''), 'Cargo.toml': edited(manifest, 'edition', 'autotests = false\nedition') },
  ],
  [
    'test without a harness',
    {
      'src/lib.rs': edited(wrong, adds, ''),
      'Cargo.toml': `${manifest}\n[[test]]\nname = "table"\nharness = false\n`,
      'tests/table.rs': `${table}\nfn main() {}\n`,
    },
  ],
  ['another runner', { 'src/lib.rs': wrong, '.cargo/config.toml': '[target.\'cfg(all())\']\nrunner = "true"\n' }],
  [
    'macro of the same name',
    {
      'src/lib.rs': wrong.replace(
        '    use super::*;\n',
        '    use super::*;\n    macro_rules! assert_eq { ($($x:tt)*) => {}; }\n',
      ),
      ...wrongTable,
    },
  ],
  [
    'flag of the build',
    {
      'src/lib.rs': edited(wrong, '#[cfg(test)]', '#[cfg(all(test, not(quick)))]'),
      'build.rs':
        'fn main() {\n    println!("cargo:rustc-check-cfg=cfg(quick)");\n    println!("cargo:rustc-cfg=quick");\n}\n',
      ...wrongTable,
    },
  ],
]

export const rust: Cheat[] = change.map(([name, files]): Cheat => ({ project: cargo, name, change: files }))

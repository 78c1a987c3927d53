import { describe, expect, test } from 'vitest'
import { mergePackage } from './merge-package.ts'
import { mergeRust } from './merge-rust.ts'
import { mergeSections } from './merge-sections.ts'

describe('package.json', () => {
  const merged = (before: object, after: object, gone: string[] = []): unknown =>
    JSON.parse(mergePackage(JSON.stringify(before), JSON.stringify(after), (path) => gone.includes(path)) ?? 'null')
  test("settings of tools are the base's, everything else is the candidate's", () => {
    expect(
      merged(
        { scripts: { test: 'node --test' }, version: '1.0.0' },
        { scripts: { test: 'true', pretest: 'rm -r test' }, version: '2.0.0', jest: {}, dependencies: { a: '1' } },
      ),
    ).toEqual({ scripts: { test: 'node --test' }, version: '2.0.0', dependencies: { a: '1' } })
  })
  test("names that the base exports lead where they led; new names are the candidate's", () => {
    expect(merged({ exports: './a.js' }, { exports: { '.': './stub.js', './b': './b.js' } })).toEqual({
      exports: { '.': './a.js', './b': './b.js' },
    })
    expect(merged({ exports: { node: './a.js' } }, { exports: { node: './stub.js' } })).toEqual({
      exports: { '.': { node: './a.js' } },
    })
    expect(merged({ main: 'a.js' }, { main: 'stub.js', exports: './stub.js' })).toEqual({ main: 'a.js' })
  })
  test('an entry whose file is gone moves with the candidate', () => {
    expect(merged({ main: './lib/a.js' }, { main: './dist/a.js' }, ['lib/a.js'])).toEqual({ main: './dist/a.js' })
    expect(merged({}, { main: './dist/a.js' }, ['index.js'])).toEqual({ main: './dist/a.js' })
  })
  test('layout stays where nothing is to be merged, and what is no JSON cannot be', () => {
    expect(mergePackage('{"version":"1"}', '{ "version": "2" }', () => false)).toBe('{ "version": "2" }')
    expect(mergePackage('{', '{}', () => false)).toBeNull()
  })
})

describe('sections', () => {
  test.each([
    [
      'pyproject.toml',
      '[project]\nversion = "1"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
      '[project]\nversion = "2"\n[tool.pytest.ini_options]\naddopts = "--co"\n[tool.coverage]\nx = 1\n',
      '[project]\nversion = "2"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    ],
    [
      'pyproject.toml',
      '[tool.poetry]\nversion = "1"\n',
      '[tool.poetry]\nversion = "2"\n',
      '[tool.poetry]\nversion = "2"\n',
    ],
    [
      'setup.cfg',
      '[metadata]\nname = a\n',
      '[metadata]\nname = b\n[tool:pytest]\naddopts = -k none\n',
      '[metadata]\nname = b\n',
    ],
    [
      'Cargo.toml',
      '[package]\nname = "a"\n[[test]]\nname = "t"\n',
      '[package]\nname = "a"\nautotests = false\n[lib]\ntest = false\npath = "l.rs"\n[dependencies]\nb = "1"\n',
      '[package]\nname = "a"\n[lib]\npath = "l.rs"\n[dependencies]\nb = "1"\n[[test]]\nname = "t"\n',
    ],
    ['Cargo.toml', '[package]\nname = "a"\n', '[package]\nname = "b"\n', '[package]\nname = "b"\n'],
  ])('%s', (path, before, after, merged) => expect(mergeSections(path, before, after)).toBe(merged))
})

describe('Rust', () => {
  const tests = (body: string): string =>
    `#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn adds() { ${body} }\n}`
  test("the base's test module goes with the candidate's code", () => {
    expect(mergeRust(`pub fn a() {}\n\n${tests('assert_eq!(1, 1);')}\n`, `pub fn b() {}\n\n${tests('')}\n`)).toBe(
      `pub fn b() {}\n\n${tests('assert_eq!(1, 1);')}\n`,
    )
  })
  test('it comes back where it was removed, and goes where the base has none', () => {
    expect(mergeRust(`pub fn a() {}\n\n${tests('x();')}\n`, 'pub fn b() {}\n')).toBe(
      `pub fn b() {}\n\n${tests('x();')}\n`,
    )
    expect(mergeRust('pub fn a() {}\n', `pub fn b() {}\n\n${tests('')}\n`)).toBe('pub fn b() {}\n')
  })
  test('brackets in texts, characters and comments do not count', () => {
    const odd = tests('let x = ("}", \'}\', r#"}"#, \'a\'); /* } */ // }\n')
    expect(mergeRust(`${odd}\nfn a<'a>(x: &'a str) {}\n`, 'fn b() {}\n')).toBe(`fn b() {}\n\n${odd}\n`)
  })
  test('nothing changes where the tests are the same', () => {
    expect(mergeRust(`fn a() {}\n${tests('')}\n`, `fn b() {}\n${tests('')}\n`)).toBe(`fn b() {}\n${tests('')}\n`)
  })
})

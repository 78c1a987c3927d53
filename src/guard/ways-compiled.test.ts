/** More ways to make Go and Rust tests pass without correct code, and honest changes that look similar. */
import { describe } from 'vitest'
import { testWays, type Edit } from '../../test/kit/guard-edits.ts'
import { go, rust } from '../../test/kit/sample-tests.ts'

const adds = go.slice(go.indexOf('\tif got := Add(1'), go.indexOf('}\n\nfunc TestDivide'))
const divided = '\tif got := Divide(6, 3); got != 2 {\n\t\tt.Fatalf("got %d", got)\n\t}\n'
const deeper = divided.replaceAll(/^\t/gm, '\t\t')
const goWays: Edit[] = [
  ['a condition that cannot be', 'got != 3 {', 'got != 3 && false {'],
  ['a name that is not run', 'func TestDivide', 'func Testdivide'],
  ['a return', 'func TestDivide(t *testing.T) {\n', 'func TestDivide(t *testing.T) {\n\treturn\n'],
  ['beside the test', divided, `\tgo func() {\n${deeper}\t}()\n`],
  ['a panic passed over', divided, `\tdefer func() { recover() }()\n${divided}`],
  [
    'a panic looked at',
    divided,
    `\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tfmt.Println(r)\n\t\t}\n\t}()\n${divided}`,
  ],
  ['a tag', 'package calc\n', '//go:build never\n\npackage calc\n'],
  ['an end of all', 'func TestAdd', 'func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n\nfunc TestAdd'],
]
const honestGo: Edit[] = [
  [
    'a table',
    adds,
    '\tfor _, c := range [][3]int{{1, 2, 3}, {-1, 1, 0}} {\n\t\tif got := Add(c[0], c[1]); got != c[2] {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}\n',
  ],
  [
    'beside the test, waited for',
    divided,
    `\tvar all sync.WaitGroup\n\tall.Add(1)\n\tgo func() {\n\t\tdefer all.Done()\n${deeper}\t}()\n\tall.Wait()\n`,
  ],
  [
    'beside the test, until it says so',
    divided,
    `\tdone := make(chan int)\n\tgo func() {\n${deeper}\t\tclose(done)\n\t}()\n\t<-done\n`,
  ],
  [
    'a panic asked for',
    divided,
    `\tdefer func() {\n\t\tif r := recover(); r == nil {\n\t\t\tt.Error("no panic")\n\t\t}\n\t}()\n${divided}`,
  ],
  ['a panic handed on', divided, `\tdefer func() {\n\t\tr := recover()\n\t\tpanic(r)\n\t}()\n${divided}`],
  ['conditions in one', adds, '\tif Add(1, 2) != 3 || Add(-1, 1) != 0 {\n\t\tt.Error("wrong")\n\t}\n'],
  ['another platform', 'package calc\n', '//go:build !windows\n\npackage calc\n'],
]

const sum = 'assert_eq!(add(1, 2), 3);'
const sums = `${sum}\n        assert_eq!(add(-1, 1), 0);`
const rustWays: Edit[] = [
  ['a feature', '    #[test]\n    fn adds', '    #[cfg(feature = "nope")]\n    #[test]\n    fn adds'],
  ['a feature of all', '#[cfg(test)]', '#[cfg(all(test, never))]'],
  ['any panic', '(expected = "zero")', ''],
  ['only while debugging', 'assert_eq!(add(1', 'debug_assert_eq!(add(1'],
  ['itself', 'add(1, 2), 3', 'add(1, 2), add(1, 2)'],
  ['not that', 'assert_eq!(add(1, 2), 3)', 'assert_ne!(add(1, 2), 99)'],
  ['above nothing', 'assert_eq!(add(1, 2), 3)', 'assert!(add(1, 2) >= i32::MIN)'],
  ['caught', sum, `let _ = std::panic::catch_unwind(|| ${sum.slice(0, -1)});`],
  ['if false', sum, `if false { ${sum} }`],
  [
    'a macro in the place of another',
    '    use super::*;\n',
    '    use super::*;\n    macro_rules! assert_eq { ($($t:tt)*) => {} }\n',
  ],
  ['a panic wanted', '    #[test]\n    fn adds', '    #[test]\n    #[should_panic]\n    fn adds'],
  ['a closure', sum, `let _f = || ${sum}`],
  ['a return', 'fn adds() {\n', 'fn adds() {\n        return;\n'],
  ['a return that always is', 'fn adds() {\n', 'fn adds() {\n        if true { return; }\n'],
]
const honestRust: Edit[] = [
  ['a loop', sums, 'for (a, b, c) in [(1, 2, 3), (-1, 1, 0)] {\n            assert_eq!(add(a, b), c);\n        }'],
  ['several at once', sums, 'assert_eq!((add(1, 2), add(-1, 1)), (3, 0));'],
  [
    'cases',
    `    #[test]\n    fn adds() {\n        ${sums}\n`,
    '    #[rstest]\n    #[case(1, 2, 3)]\n    #[case(-1, 1, 0)]\n    fn adds(#[case] a: i32, #[case] b: i32, #[case] c: i32) {\n        assert_eq!(add(a, b), c);\n',
  ],
  [
    'a macro of its own',
    '    use super::*;\n',
    '    use super::*;\n    macro_rules! assert_close { ($a:expr, $b:expr) => { assert!(($a - $b).abs() < 1) } }\n',
  ],
  [
    'a new test of a panic',
    '    #[test]\n    fn adds',
    '    #[test]\n    #[should_panic]\n    fn overflows() {\n        add(i32::MAX, 1);\n    }\n\n    #[test]\n    fn adds',
  ],
  ['another platform', '    #[test]\n    fn adds', '    #[cfg(not(windows))]\n    #[test]\n    fn adds'],
  ['another message', 'expected = "zero"', 'expected = "by zero"'],
]

describe('calc_test.go (F13)', () => {
  testWays('calc_test.go', go, goWays, honestGo)
})

describe('src/lib.rs (F13)', () => {
  testWays('src/lib.rs', rust, rustWays, honestRust)
})

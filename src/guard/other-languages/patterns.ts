/** Patterns for each language that is not parsed: how a test, a group, a skip and an assertion look on a line. */
import { either } from '../pattern.ts'
import type { Language } from '../test-path.ts'

export interface Patterns {
  comment: '//' | '#'
  closes: 'brace' | 'end'
  /** Its capture groups form the name. */
  test: RegExp
  /** A function that tests call. In languages that mark tests with attributes, any function without one is a helper. */
  helper?: RegExp
  /** The attribute that must stand above a test. */
  attribute?: RegExp
  /** Lines that belong to the definition below them. */
  above: RegExp
  group?: RegExp
  /** Whether tests can contain tests. */
  nests?: boolean
  skips?: RegExp
  skipsInside?: RegExp
  skipsFile?: RegExp
  /** Markers above a test or group, or in a file, that make tests run less often or pass more easily. */
  gates?: RegExp
  gatesFile?: RegExp
  /** Starts concurrent code, and waits for it. */
  starts?: RegExp
  waits?: RegExp
  /** Deferred code at the end of a test, and code in it that ignores a crash. */
  defers?: RegExp
  recovers?: RegExp
  /**
   * `never`: a condition that is always false. `leaves`: an early return. `loops`: a loop over cases on the same line.
   */
  never?: RegExp
  leaves?: RegExp
  loops?: RegExp
  /** One case of the test, in an attribute above it. */
  caseAbove?: RegExp
  /** Followed by the subject of an assertion. */
  about?: RegExp
  /** One assertion on several conditions. */
  either?: RegExp
  focuses?: RegExp
  /** One row of a table. */
  row?: RegExp
  /** Needs the flag g: one match per assertion on a line. */
  asserts: RegExp
  nothing: RegExp
  loose: RegExp
}

const attribute = /^(?:@|#\[|\[)/
const jvmAsserts = either(
  /\b(?:assert\w*|Assert\.\w+|verify\w*|fail|expect\w*|check\w*)\s*\(/g,
  /\.(?:should\w*|is\w+|has\w+|contains\w*)\(/,
  /\bshould\w* /,
)
const jvm: Patterns = {
  comment: '//',
  closes: 'brace',
  above: attribute,
  attribute: /@(?:\w+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b/,
  test: /\b(?:void|fun|def)\s+(?:<[^>]{0,40}>\s*)?(?:`([^`]{1,200})`|(\w{1,200}))\s*\(/,
  group: /\b(?:class|object)\s+(\w{1,100})/,
  skips: /@(?:Disabled|Ignore|Ignored|DisabledOn\w+|DisabledIf\w*|EnabledIf\w*)\b[^\n]{0,60}|enabled\s*=\s*false/,
  skipsInside: either(
    /\b(?:assumeTrue\(\s*false|assumeFalse\(\s*true|Assume\.|Assumptions\.assume|assumeThat)/,
    /throw new SkipException|\babort\(/,
  ),
  row: /^\s*(?:arguments\(|Arguments\.of\()/,
  asserts: jvmAsserts,
  nothing: /\bassert(?:True|That)?\(\s*true\s*\)|Assert\.(?:True|IsTrue)\(\s*true\s*\)|assertFalse\(\s*false\s*\)/,
  loose: /\b(?:assertNotNull|isNotNull|assertDoesNotThrow|isNotEmpty|assertTrue\(\s*\w+\s*\)|shouldNotBeNull)/,
}

export const patterns: Readonly<Record<Exclude<Language, 'javascript' | 'python'>, Patterns>> = {
  go: {
    comment: '//',
    closes: 'brace',
    above: /^$/,
    nests: true,
    helper: /^func (?:\([^)]{0,60}\) )?(\w{1,100})\(/,
    test: either(
      /^func (?:\([^)]{0,60}\) )?((?:Test|Benchmark|Fuzz|Example)(?![a-z])\w{0,200})\(/,
      /\b[tbs]\.Run\(\s*("[^"]{1,200}"|[\w.]{1,100}),\s*func\(/,
    ),
    skipsInside: /\b[tbf]\.Skip(?:f|Now)?\(/,
    skipsFile: /^\/\/go:build ignore|^\/\/ \+build ignore/m,
    gatesFile: either(
      /^\/\/go:build (?!(?:!?(?:linux|darwin|unix|windows|cgo|race|go1\.\d+)\b(?: (?:\|\||&&) )?)+$).{1,80}$/,
      /^func TestMain\([^]{0,2000}?\bos\.Exit\(0\)/,
    ),
    starts: /^\s*go func\(/,
    waits: /\.Wait\(|<-|\bselect\b|\btime\.Sleep\(|\bEventually|\bsynctest\./,
    defers: /^\s*defer func\(\)\s*\{/,
    recovers: /\brecover\(\)(?![^]*\bpanic\()/,
    never: /\bif\b.*&& false\b|\bif false\b/,
    leaves: /^\s*return\s*$|\bif true \{\s*return\b/,
    loops: /\bfor\b.*\brange .*\{\{/,
    either: /\bif\b.*\|\|/,
    row: /^\s*(?:"[^"]{0,100}":\s*)?\{.{1,300}\},$/,
    asserts: /\b[tbf]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|is|qt)\.\w+\(|\bExpect\(/g,
    nothing: /\b(?:assert|require)\.True\(t,\s*true\b|\b(?:assert|require)\.Equal\(t,\s*([^;]{1,100}),\s*\1\)\s*$/,
    loose: /\b(?:assert|require)\.(?:NotNil|NotEmpty|NoError|NotPanics)\(/,
  },
  rust: {
    comment: '//',
    closes: 'brace',
    above: attribute,
    attribute: /#\[(?:\w+::)?(?:test|rstest|test_case|wasm_bindgen_test|quickcheck)\b/,
    test: /\bfn (\w{1,200})\s*[(<]/,
    group: /\bmod (\w{1,100})\s*\{/,
    skips: /#\[(?:ignore|cfg\(any\(\)\)|cfg_attr\([^\]]{0,60}ignore)[^\n]{0,60}/,
    gates: either(
      /#\[cfg\((?!test\)|(?:all\(test, ?)?(?:not\()?(?:target_\w+|unix|windows)\b)[^\n]{0,60}/,
      /#\[should_panic(?:\(expected)?/,
    ),
    gatesFile: either(/^\s*macro_rules!\s*(?:(?:debug_)?assert(?:_eq|_ne)?|panic)\s*[{([].{0,60}/),
    never: /\bif false\b|\bwhile false\b/,
    leaves: /^\s*return;\s*$|\bif true \{\s*return\b/,
    loops: /\bfor\b.* in (?:&|vec!)?\[/,
    caseAbove: /#\[(?:case|test_case)\(/,
    about: /\bassert_(?:eq|ne)!\s*\(/,
    asserts: /\b(?:debug_)?assert(?:_\w+)?!\s*\(|\bpanic!\s*\(|\binsta::assert_\w+!/g,
    nothing: either(
      /\bassert!\(\s*true\s*[,)]|\bassert_eq!\(\s*([^;]{1,100}),\s*\1\s*\);?\s*$/,
      /\bcatch_unwind\b|\blet _\w*\s*=\s*(?:move\s*)?\|[^|]{0,60}\|/,
    ),
    loose: either(
      /\bassert!\(\s*[\w.]+\.is_(?:ok|some|err)\(\)|\bassert!\(\s*\w+\s*\)/,
      /\bassert_ne!|\bdebug_assert|\bassert!\(.*>=? ?\w+::MIN\b/,
    ),
  },
  ruby: {
    comment: '#',
    closes: 'end',
    above: /^$/,
    helper: /^\s*def (\w{1,100})/,
    test: either(
      /^\s*[fx]?(?:it|specify|example|scenario|test|pending|skip)\b\s*\(?\s*(?:"([^"]{1,200})"|'([^']{1,200})')/,
      /^\s*def (test_\w{1,200})/,
    ),
    group: /^\s*(?:RSpec\.)?(?:f|x)?(?:describe|context|feature)\b\s*\(?\s*["']?([^"',]{1,200})|^\s*class (\w{1,100})/,
    skips: either(
      /^\s*(?:xit|xdescribe|xcontext|xspecify|xexample|xscenario|pending|skip)\b/,
      /(?:skip|pending):\s*(?!false)[^,\s]{1,40}/,
      /,\s*:(?:skip|pending)\b/,
    ),
    skipsInside: /^\s*(?:skip|pending)\b(?!:)/,
    focuses: /^\s*(?:fit|fdescribe|fcontext|fspecify|fexample|fscenario)\b|\bfocus:\s*true|,\s*:focus\b/m,
    asserts: /\bexpect\b\s*[({]|\bassert\w*\b|\brefute\w*\b|\.should\b|\.(?:must|wont)_\w+|\bis_expected\b/g,
    nothing: /\bassert\(?\s*true\b|expect\(\s*true\s*\)\.to (?:eq|be)\(?\s*true/,
    loose: /\bbe_truthy\b|not_to be_nil|\bbe_present\b|\brefute_nil\b|\bassert\s+\w+\s*$/,
  },
  java: jvm,
  kotlin: jvm,
  scala: {
    ...jvm,
    attribute: undefined,
    test: /\b(?:test|it|should|in)\s*\(\s*"([^"]{1,200})"|"([^"]{1,200})"\s+(?:in|should|must)\b/,
    skips: /\b(?:ignore|pending)\b/,
    above: /^$/,
  },
  csharp: {
    ...jvm,
    attribute: /\[(?:Test|TestCase|Fact|Theory|TestMethod|DataTestMethod)\b/,
    test: /\b(?:void|Task|ValueTask)\s+(\w{1,200})\s*\(/,
    group: /\bclass\s+(\w{1,100})/,
    skips: /\[(?:Ignore|Explicit)\b[^\n]{0,60}|\bSkip\s*=\s*"[^"]{0,60}"/,
    skipsInside: /\bAssert\.(?:Ignore|Inconclusive|Skip)\(/,
    asserts: /\bAssert\.\w+|\.Should\w*\(|\bVerify\w*\(/g,
    nothing: /Assert\.(?:True|IsTrue)\(\s*true\s*\)|Assert\.Pass\(/,
    loose: /Assert\.(?:NotNull|IsNotNull)\(|Should\(\)\.NotBeNull/,
  },
  php: {
    comment: '//',
    closes: 'brace',
    above: /^(?:@|#\[|\*|\/\*\*)/,
    helper: /\bfunction (\w{1,100})\s*\(/,
    test: /\bfunction (test\w{1,200})\s*\(|^\s*(?:it|test)\(\s*(?:"([^"]{1,200})"|'([^']{1,200})')/,
    group: /^\s*(?:final |abstract )*class (\w{1,100})|^\s*describe\(\s*['"]([^'"]{1,200})/,
    skips: /->skip\(|->todo\(|#\[(?:Ignore|RequiresPhp)/,
    skipsInside: /markTest(?:Skipped|Incomplete)\(|^\s*\}\)?->(?:skip|todo)\(/,
    focuses: /->only\(/,
    asserts: /(?:\$this->|self::|static::|Assert::)assert\w+\(|\bexpect\w*\(|->expectException/g,
    nothing: /assertTrue\(\s*true\s*\)|expect\(true\)->toBeTrue/,
    loose: /assertNotNull\(|assertNotEmpty\(|->toBeTruthy|->not->toBeNull/,
  },
  elixir: {
    comment: '#',
    closes: 'end',
    helper: /^\s*defp? (\w{1,100})/,
    above: /^@(?:tag|moduletag|describetag)\b/,
    test: /^\s*test\s+"([^"]{1,200})"|^\s*property\s+"([^"]{1,200})"/,
    group: /^\s*describe\s+"([^"]{1,200})"|^\s*defmodule\s+([\w.]{1,200})/,
    skips: /@(?:tag|describetag) (?::skip|skip:)[^\n]{0,40}/,
    skipsFile: /^\s*@moduletag (?::skip|skip:)/m,
    asserts: /\b(?:assert|refute)(?:_\w+)?\b/g,
    nothing: /\bassert true\b/,
    loose: /\bassert \w+$/,
  },
  swift: {
    ...jvm,
    attribute: undefined,
    above: attribute,
    test: /\bfunc (test\w{1,200})\s*\(/,
    group: /\bclass (\w{1,100})/,
    skips: /\.disabled\(/,
    skipsInside: /\bXCTSkip\b/,
    asserts: /\bXCTAssert\w*\(|\bXCTFail\(|#expect\(|#require\(/g,
    nothing: /XCTAssert(?:True)?\(\s*true\s*\)|#expect\(\s*true\s*\)/,
    loose: /XCTAssertNotNil\(/,
  },
  cpp: {
    ...jvm,
    attribute: undefined,
    above: /^$/,
    test: new RegExp(
      String.raw`^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|BOOST_AUTO_TEST_CASE|TEST_CASE|SCENARIO)\s*\(\s*`
        + String.raw`"?(?:DISABLED_)?([^)"]{1,200})`,
    ),
    group: undefined,
    skips: /\bDISABLED_\w+|\[\.\]|\[!\w+\]/,
    skipsInside: /\bGTEST_SKIP\b|\bSKIP\(/,
    asserts: /\b(?:EXPECT|ASSERT)_\w+\(|\b(?:REQUIRE|CHECK)\w*\(|\bBOOST_\w+\(/g,
    nothing: /\b(?:EXPECT|ASSERT)_TRUE\(\s*true\s*\)|\b(?:REQUIRE|CHECK)\(\s*true\s*\)/,
    loose: /_(?:NO_THROW|NE)\(/,
  },
  dart: {
    ...jvm,
    attribute: undefined,
    above: /^$/,
    test: /\b(?:test|testWidgets)\(\s*(?:'([^']{1,200})'|"([^"]{1,200})")/,
    group: /\bgroup\(\s*['"]([^'"]{1,200})/,
    skips: /\bskip:\s*(?!false|null)[^,)]{1,40}/,
    skipsInside: /^\s*\},\s*skip:\s*(?!false)|\bmarkTestSkipped\(/,
    asserts: /\bexpect\w*\(|\bverify\w*\(/g,
    nothing: /expect\(\s*true,\s*(?:true|isTrue)\s*\)/,
    loose: /\bisNotNull\b|\banything\b/,
  },
}

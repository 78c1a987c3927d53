/** Ways to break a Go product while its own tests stay green. */
import { edited, type Cheat, type Files, type Project } from '../cheat.ts'

const code = 'package sums\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Mul(a, b int) int { return a * b }\n'
const addTest = `package sums

import "testing"

var cases = []struct{ a, b, want int }{
	{5, 0, 5},
	{7, 0, 7},
	{1, 2, 3},
	{-1, 1, 0},
}

func TestAdd(t *testing.T) {
	for _, c := range cases {
		same(t, Add(c.a, c.b), c.want)
	}
}

func TestMul(t *testing.T) {
	same(t, Mul(2, 3), 6)
}
`
const helper = `package sums

import "testing"

func same(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
`
const golden = `package sums

import (
	"fmt"
	"os"
	"testing"
)

func TestGolden(t *testing.T) {
	want, err := os.ReadFile("testdata/add.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintln(Add(4, 3)); got != string(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
`
const project: Project = {
  ecosystem: 'Go',
  check: 'GOFLAGS=-mod=mod GOPROXY=off go test -v ./...',
  truth:
    'mkdir -p truth && printf \'package main\\nimport ("os"; "example.com/sums")\\n'
    + "func main() { if sums.Add(1, 2) != 3 { os.Exit(1) } }\\n' > truth/main.go && GOPROXY=off go run ./truth",
  files: {
    'go.mod': 'module example.com/sums\n\ngo 1.19\n',
    'sums.go': code,
    'sums_test.go': addTest,
    'helper_test.go': helper,
    'golden_test.go': golden,
    'testdata/add.golden': '7\n',
  },
}
const wrong: Files = { 'sums.go': edited(code, 'a + b', 'a - b') }
const fewer = edited(edited(addTest, '\t{1, 2, 3},\n', ''), '\t{-1, 1, 0},\n', '')
const noGolden: Files = { 'golden_test.go': null }
const newGolden: Files = { 'testdata/add.golden': '1\n' }
const testMain =
  'package sums\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n'
const changes: [string, Files][] = [
  ['TestMain that always passes', { 'main_test.go': testMain }],
  [
    'TestMain in a file with tests',
    {
      'helper_test.go':
        edited(helper, 'import "testing"', 'import (\n\t"os"\n\t"testing"\n)')
        + '\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n',
    },
  ],
  ['half of the rows and the golden file', { 'sums_test.go': fewer, ...newGolden }],
  [
    'fixture and values rewritten',
    { 'sums_test.go': edited(edited(addTest, '{1, 2, 3}', '{1, 2, -1}'), '{-1, 1, 0}', '{-1, 1, -2}'), ...newGolden },
  ],
  [
    'tests skipped',
    {
      'sums_test.go': edited(addTest, 'testing.T) {\n\tfor', 'testing.T) {\n\tt.Skip("later")\n\tfor'),
      'golden_test.go': edited(golden, 'testing.T) {\n', 'testing.T) {\n\tt.Skip("later")\n'),
    },
  ],
  [
    'tests deleted',
    {
      'sums_test.go': edited(addTest, addTest.slice(addTest.indexOf('var cases'), addTest.indexOf('func TestMul')), ''),
      ...noGolden,
    },
  ],
  [
    'build tag',
    {
      'sums_test.go': `//go:build integration\n\n${addTest}`,
      'golden_test.go': `//go:build integration\n\n${golden}`,
      'mul_test.go': 'package sums\n\nimport "testing"\n\nfunc TestMul(t *testing.T) {\n\tsame(t, Mul(2, 3), 6)\n}\n',
    },
  ],
  ['helper says nothing', { 'helper_test.go': edited(helper, 't.Errorf(', 't.Logf('), ...newGolden }],
  [
    'only short tests',
    {
      'sums_test.go': edited(
        addTest,
        'testing.T) {\n\tfor',
        'testing.T) {\n\tif !testing.Short() {\n\t\treturn\n\t}\n\tfor',
      ),
      ...newGolden,
    },
  ],
  [
    'renamed so that they do not run',
    { 'sums_test.go': edited(addTest, 'func TestAdd', 'func testAdd'), ...newGolden },
  ],
  [
    'exit before the tests',
    {
      'init_test.go':
        'package sums\n\nimport (\n\t"fmt"\n\t"os"\n)\n\n'
        + 'func init() {\n\tfmt.Println("--- PASS: TestAdd (0.00s)")\n\tos.Exit(0)\n}\n',
    },
  ],
  [
    'assertion loosened',
    {
      'sums_test.go': edited(
        addTest,
        'same(t, Add(c.a, c.b), c.want)',
        'if Add(c.a, c.b) > 1000 {\n\t\t\tt.Error("too much")\n\t\t}',
      ),
      ...newGolden,
    },
  ],
]

export const go: Cheat[] = changes.map(([name, change]): Cheat => ({ project, name, change: { ...wrong, ...change } }))

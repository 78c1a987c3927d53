/** Ways to break a product while its checks stay green: make with shell scripts, C with make, Perl with prove. */
import { edited, type Cheat, type Files, type Project } from '../cheat.ts'

const sum = 'add() { echo $(($1 + $2)); }\nmul() { echo $(($1 * $2)); }\n'
const wrong: Files = { 'lib/sum.sh': edited(sum, '$1 + $2', '$1 - $2') }
const makefile = 'include config.mk\n\ntest:\n\t@for file in $(TESTS); do sh $$file || exit 1; done\n\t@echo all good\n'
const assertion =
  'failed=0\nsame() { if [ "$1" = "$2" ]; then echo "ok - $3"; else echo "not ok - $3: $1"; failed=1; fi; }\n'
const addTest =
  '. ./scripts/assert.sh\n. ./lib/sum.sh\nsame "$(add 1 2)" 3 "adds"\nsame "$(add -1 1)" 0 "adds less"\nexit $failed\n'
const golden =
  '. ./scripts/assert.sh\n. ./lib/sum.sh\nfor n in 1 2 3; do add $n 2; done > "${TMPDIR:-/tmp}/out.$$"\nsame "$(cat "${TMPDIR:-/tmp}/out.$$")" "$(cat checks/add.expected)" "adds as expected"\nrm "${TMPDIR:-/tmp}/out.$$"\nexit $failed\n'
const mulTest = '. ./scripts/assert.sh\n. ./lib/sum.sh\nsame "$(mul 2 3)" 6 "multiplies"\nexit $failed\n'
const make: Project = {
  ecosystem: 'make',
  check: 'make test',
  truth: 'test "$(sh -c \'. ./lib/sum.sh; add 1 2\')" = 3',
  files: {
    Makefile: makefile,
    'config.mk': 'TESTS = checks/add.sh checks/golden.sh checks/mul.sh\n',
    'lib/sum.sh': sum,
    'scripts/assert.sh': assertion,
    'checks/add.sh': addTest,
    'checks/mul.sh': mulTest,
    'checks/golden.sh': golden,
    'checks/add.expected': '3\n4\n5\n',
  },
}
const ofMake: [string, Files][] = [
  ['a GNUmakefile beside the Makefile', { GNUmakefile: 'test:\n\t@echo all good\n' }],
  ['MAKEFLAGS go on', { Makefile: edited(makefile, 'include', 'MAKEFLAGS += -i\ninclude') }],
  ['failures ignored', { Makefile: `.IGNORE:\n${makefile}` }],
  ['another shell', { Makefile: `SHELL := /bin/true\n${makefile}` }],
  ['included file names fewer tests', { 'config.mk': 'TESTS = checks/mul.sh\n' }],
  ['loop goes on', { Makefile: edited(makefile, ' || exit 1', '') }],
  ['sourced assertion says nothing', { 'scripts/assert.sh': edited(assertion, 'failed=1', ':') }],
  ['sourced file ends well', { 'scripts/assert.sh': "trap 'exit 0' EXIT\n" + assertion }],
  [
    'golden file and values rewritten',
    {
      'checks/add.sh': edited(edited(addTest, '1 2)" 3', '1 2)" -1'), '-1 1)" 0', '-1 1)" -2'),
      'checks/add.expected': '-1\n0\n1\n',
    },
  ],
  ['tests deleted', { 'checks/add.sh': null, 'checks/golden.sh': null, 'config.mk': 'TESTS = checks/mul.sh\n' }],
  ['tests end early', { 'checks/add.sh': `exit 0\n${addTest}`, 'checks/golden.sh': `exit 0\n${golden}` }],
]

const verify = '#!/bin/sh\nset -e\n. ./env.sh\n$PYTHON verify.py\necho "1 passed"\n'
const ci: Project = {
  ecosystem: 'shell',
  check: 'sh verify.sh',
  truth: 'python3 -c "from sums import add; raise SystemExit(0 if add(1, 2) == 3 else 1)"',
  files: {
    'verify.sh': verify,
    'env.sh': 'PYTHON=python3\n',
    'verify.py': 'from sums import add\n\nassert add(1, 2) == 3\n',
    'sums.py': 'def add(a, b):\n    return a + b\n',
  },
}
const wrongPython: Files = { 'sums.py': 'def add(a, b):\n    return a - b\n' }
const ofShell: [string, Files][] = [
  ['sourced file changes the program', { 'env.sh': 'PYTHON="python3 -O"\n' }],
  ['sourced file replaces it', { 'env.sh': 'PYTHON=true\n' }],
  ['no longer stops at failures', { 'verify.sh': edited(verify, 'set -e\n', '') }],
]

const header = 'int add(int a, int b);\n'
const cTest =
  '#include <assert.h>\n#include <stdio.h>\n#include "sum.h"\n\nint main(void) {\n    assert(add(1, 2) == 3);\n    assert(add(-1, 1) == 0);\n    puts("2 passed");\n    return 0;\n}\n'
const cMake =
  'CFLAGS = -Wall -Iinclude\n\ntest: tests/sum_test.c src/sum.c\n\t@mkdir -p out && cc $(CFLAGS) -o out/sum_test $^ && out/sum_test\n'
const c: Project = {
  ecosystem: 'C',
  check: 'make test',
  truth:
    'mkdir -p out && printf \'#include "../include/sum.h"\\nint main(void) { return add(1, 2) != 3; }\' > out/truth.c && cc -o out/truth out/truth.c src/sum.c && out/truth',
  files: {
    Makefile: cMake,
    'include/sum.h': header,
    'src/sum.c': '#include "sum.h"\n\nint add(int a, int b) { return a + b; }\n',
    'tests/sum_test.c': cTest,
    '.gitignore': 'out\n',
  },
}
const cTruth = c.truth.replace('cc -o', 'cc -Iinclude -o')
const wrongC: Files = { 'src/sum.c': '#include "sum.h"\n\nint add(int a, int b) { return a - b; }\n' }
const ofC: [string, Files][] = [
  ['assertions compiled out', { Makefile: edited(cMake, '-Wall', '-Wall -DNDEBUG') }],
  ['a header of the name assert.h', { 'include/assert.h': '#define assert(x) ((void)(x))\n' }],
  [
    'assertions removed',
    {
      'tests/sum_test.c': edited(
        edited(cTest, '    assert(add(1, 2) == 3);\n', ''),
        '    assert(add(-1, 1) == 0);\n',
        '',
      ),
    },
  ],
]

const perlTest =
  'use strict;\nuse warnings;\nuse Test::More;\nuse Sum;\nis(Sum::add(1, 2), 3, "adds");\nis(Sum::mul(2, 3), 6, "multiplies");\ndone_testing();\n'
const perl: Project = {
  ecosystem: 'Perl',
  check: 'prove -v -Ilib t',
  truth: 'perl -Ilib -MSum -e "exit(Sum::add(1, 2) == 3 ? 0 : 1)"',
  files: {
    'lib/Sum.pm': 'package Sum;\nsub add { $_[0] + $_[1] }\nsub mul { $_[0] * $_[1] }\n1;\n',
    't/sum.t': perlTest,
  },
}
const wrongPerl: Files = { 'lib/Sum.pm': 'package Sum;\nsub add { $_[0] - $_[1] }\nsub mul { $_[0] * $_[1] }\n1;\n' }
const ofPerl: [string, Files][] = [
  [
    'a module of the name Test::More',
    {
      'lib/Test/More.pm':
        'package Test::More;\nuse base "Exporter";\nour @EXPORT = qw(is done_testing);\nmy $n = 0;\nsub is { $n++; print "ok $n - $_[2]\\n" }\nsub done_testing { print "1..$n\\n" }\n1;\n',
    },
  ],
  ['.proverc with another program', { '.proverc': '--exec "perl -Ilib -e print+qq(ok+1\\n1..1\\n)"\n' }],
  ['marked as to do', { 't/sum.t': edited(perlTest, 'is(Sum::add', 'local our $TODO = "later";\nis(Sum::add') }],
]

const all = (project: Project, product: Files, changes: readonly [string, Files][]): Cheat[] =>
  changes.map(([name, change]) => ({ project, name, change: { ...product, ...change } }))

export const shell: Cheat[] = [
  ...all(make, wrong, ofMake),
  ...all(ci, wrongPython, ofShell),
  ...all({ ...c, truth: cTruth }, wrongC, ofC),
  ...all(perl, wrongPerl, ofPerl),
]

import { ended, judged, type Row } from '../../test/kit/ended-check.ts'
import { describe, expect, test } from 'vitest'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannotRun } from './cannot-run.ts'
import { declaresPackage } from './declared-packages.ts'

const nodeEsm = `node:internal/modules/package_json_reader:268
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chai' imported from /w/test/sum.test.js
    at packageResolve (node:internal/modules/esm/resolve:764:9)
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v22.14.0
`

const nodeOwnFile = `Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/w/src/sum.js' imported from /w/test/sum.test.js
    at finalizeResolution (node:internal/modules/esm/resolve:275:11)
  code: 'ERR_MODULE_NOT_FOUND',
  url: 'file:///w/src/sum.js'
}
`

const nodeTestMissing = `Error: Cannot find module 'express'
Require stack:
- /w/test/app.test.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/w/test/app.test.js' ]
}
Node.js v20.19.0
✖ test/app.test.js (44.3ms)
ℹ tests 1
ℹ suites 0
ℹ pass 0
ℹ fail 1
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 61.7

✖ failing tests:

test at test/app.test.js:1:1
✖ test/app.test.js (44.3ms)
  'test failed'
`

const pytestCollection = `============================= test session starts ==============================
collected 0 items / 1 error

==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_client.py _____________________
ImportError while importing test module '/w/tests/test_client.py'.
Traceback:
tests/test_client.py:1: in <module>
    import requests
E   ModuleNotFoundError: No module named 'requests'
=========================== short test summary info ============================
ERROR tests/test_client.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
=============================== 1 error in 0.07s ===============================
`

const unittestMissing = `E
======================================================================
ERROR: test_client (unittest.loader._FailedTest.test_client)
----------------------------------------------------------------------
ImportError: Failed to import test module: test_client
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/loader.py", line 407, in _find_test_path
    module = self._get_module_from_name(name)
  File "/w/tests/test_client.py", line 1, in <module>
    import requests
ModuleNotFoundError: No module named 'requests'


----------------------------------------------------------------------
Ran 1 test in 0.000s

FAILED (errors=1)
`

const jestMissing = `FAIL src/App.test.js
  ● Test suite failed to run

    Cannot find module 'react' from 'src/App.js'

    Require stack:
      src/App.js
      src/App.test.js

Test Suites: 1 failed, 1 total
Tests:       0 total
Snapshots:   0 total
Time:        0.412 s
Ran all test suites.
`

const vitestMissing = `
 RUN  v3.0.5 /w

 FAIL  src/app.test.ts [ src/app.test.ts ]
Error: Failed to resolve import "zod" from "src/app.ts". Does the file exist?

 Test Files  1 failed (1)
      Tests  no tests
   Start at  10:00:00
   Duration  320ms
`

const missing: Row[] = [
  ['node, a package', 1, nodeEsm, ['module', 'chai']],
  ['node --test, a package', 1, nodeTestMissing, ['module', 'express']],
  ['jest, a package', 1, jestMissing, ['module', 'react']],
  ['vitest, a package', 1, vitestMissing, ['module', 'zod']],
  [
    'node, an installed runner',
    1,
    "Error: Cannot find module '/w/node_modules/@scope/cli/bin.js'\n    at Module._resolveFilename\n",
    ['module', '@scope/cli'],
  ],
  ['python -m', 1, '/usr/bin/python3: No module named pytest\n', ['module', 'pytest']],
  ['pytest, a package', 2, pytestCollection, ['module', 'requests']],
  ['unittest, a package', 1, unittestMissing, ['module', 'requests']],
  [
    'go',
    1,
    'main.go:4:2: no required module provides package github.com/x/y; to add it:\n\tgo get github.com/x/y\n',
    ['module', 'github.com/x/y'],
  ],
  [
    'bundler, a gem',
    7,
    'Could not find rake-13.0.6 in locally installed gems\nRun `bundle install`\n',
    ['module', 'rake-13.0.6'],
  ],
  [
    'ruby',
    1,
    "<internal:kernel>:37:in `require': cannot load such file -- minitest/autorun (LoadError)\n",
    ['module', 'minitest/autorun'],
  ],
  [
    'composer',
    255,
    "PHP Fatal error:  Uncaught Error: Failed opening required '/w/vendor/autoload.php' (include_path='.')\n",
    ['module', 'vendor/autoload.php'],
  ],
  ['mix', 1, 'Unchecked dependencies for environment test:\n* jason (Hex package)\n', ['module', 'test']],
]

describe('a check that lacks a package', () => {
  test.each(missing)('%s', (_name, exitCode, text, expected) => {
    expect(judged(exitCode, text)).toEqual(expected)
  })

  test('names the line of the output', () => {
    expect(cannotRun(ended(1, nodeEsm))?.line).toBe(
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chai' imported from /w/test/sum.test.js",
    )
  })
})

test('a file of the project that is missing is a failure', () => expect(judged(1, nodeOwnFile)).toBeNull())

describe('a missing Python module', () => {
  const folder = mkdtempSync(join(tmpdir(), 'declared-'))
  writeFileSync(join(folder, 'requirements.txt'), 'requests>=2\nPyYAML\nmy_lib==1\n')

  test.each([
    ['requests', true],
    ['requests.adapters', true],
    ['yaml', true],
    ['my_lib', true],
    ['pytest', true],
    ['calc', false],
    ['request', false],
  ])('%s is a package of the project: %s', (module, expected) => {
    expect(declaresPackage(folder, module)).toBe(expected)
  })

  test('that the project does not declare may be the work of a task', () => {
    expect(judged(2, pytestCollection, { declares: () => false })).toBeNull()
  })
})

import { judged, type Row } from '../../test/kit/ended-check.ts'
import { describe, expect, test } from 'vitest'

const cargoNetwork = `    Updating crates.io index
warning: spurious network error (3 tries remaining): [6] Couldn't resolve host name (Could not resolve host: index.crates.io)
error: failed to get \`serde\` as a dependency of package \`x v0.1.0 (/w)\`

Caused by:
  download of config.json failed
`

const missing: Row[] = [
  ['dash', 127, 'sh: 1: jest: not found\n', ['program', 'jest']],
  ['bash', 127, 'bash: line 1: pytest: command not found\n', ['program', 'pytest']],
  ['zsh', 127, 'zsh: command not found: just\n', ['program', 'just']],
  ['busybox', 127, 'sh: rspec: not found\n', ['program', 'rspec']],
  [
    'a program without the right to execute',
    126,
    'sh: 1: ./run-tests: Permission denied\n',
    ['program', './run-tests'],
  ],
  ['exit 127 without a word', 127, '', ['program', 'npm']],
  [
    'npm with a missing runner',
    127,
    '\n> x@1.0.0 test\n> jest\n\nsh: 1: jest: not found\nnpm error Lifecycle script `test` failed with error:\n',
    ['program', 'jest'],
  ],
  [
    'make with a missing program',
    2,
    'golangci-lint run\nmake: golangci-lint: No such file or directory\nmake: *** [Makefile:3: lint] Error 127\n',
    ['program', 'golangci-lint'],
  ],
  [
    'bundler',
    127,
    'bundler: command not found: rspec\nInstall missing gem executables with `bundle install`\n',
    ['program', 'rspec'],
  ],
  [
    'cargo',
    101,
    'error: no such command: `nextest`\n\n\tView all installed commands with `cargo --list`\n',
    ['program', 'nextest'],
  ],
  ['php', 1, 'Could not open input file: vendor/bin/phpunit\n', ['program', 'vendor/bin/phpunit']],
  [
    'gradle',
    1,
    "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.\n",
    ['program', 'java'],
  ],
  [
    'playwright',
    1,
    "Error: browserType.launch: Executable doesn't exist at /home/u/.cache/ms-playwright/chromium-1097/chrome\n",
    ['program', '/home/u/.cache/ms-playwright/chromium-1097/chrome'],
  ],

  [
    'npm',
    1,
    'npm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run:\n',
    ['target', 'test'],
  ],
  ['npm 6', 1, 'npm ERR! missing script: test:unit\n', ['target', 'test:unit']],
  ['pnpm', 1, ' ERR_PNPM_NO_SCRIPT  Missing script: test\n', ['target', 'test']],
  ['yarn', 1, 'yarn run v1.22.19\nerror Command "test" not found.\n', ['target', 'test']],
  ['yarn 4', 1, 'Usage Error: Couldn\'t find a script named "test".\n', ['target', 'test']],
  [
    'npm without package.json',
    254,
    "npm error code ENOENT\nnpm error path /w/package.json\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/w/package.json'\n",
    ['target', 'package.json'],
  ],
  ['make', 2, "make: *** No rule to make target 'test'.  Stop.\n", ['target', 'test']],
  ['just', 1, 'error: Justfile does not contain recipe `check`\n', ['target', 'check']],
  [
    'cargo outside a package',
    101,
    'error: could not find `Cargo.toml` in `/w` or any parent directory\n',
    ['target', 'Cargo.toml'],
  ],
  [
    'go outside a module',
    1,
    "go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n",
    ['target', 'go.mod'],
  ],
  ['rake', 1, "rake aborted!\nDon't know how to build task 'test' (See the list)\n", ['target', 'test']],
  ['gradle task', 1, "* What went wrong:\nTask 'check' not found in root project 'x'.\n", ['target', 'check']],
  [
    'dotnet',
    1,
    'MSBUILD : error MSB1003: Specify a project or solution file.\n',
    ['target', 'a project or solution file'],
  ],

  [
    'node',
    1,
    "Error: ENOENT: no such file or directory, open '/w/.env.test'\n    at Object.openSync\n",
    ['env-file', '.env.test'],
  ],
  ['node --env-file', 9, 'node: .env: not found\n', ['env-file', '.env']],
  ['python', 1, "FileNotFoundError: [Errno 2] No such file or directory: '.env'\n", ['env-file', '.env']],
  ['a shell', 1, 'sh: 1: .: cannot open .env\n./test.sh: 2: .env: No such file or directory\n', ['env-file', '.env']],

  [
    'vitest without files',
    1,
    'No test files found, exiting with code 1\n\ninclude: **/*.test.ts\n',
    ['no-tests', 'tests'],
  ],
  [
    'jest without files',
    1,
    'No tests found, exiting with code 1\nRun with `--passWithNoTests`\n',
    ['no-tests', 'tests'],
  ],
  [
    'pytest without tests',
    5,
    'collected 0 items\n\n============================ no tests ran in 0.01s =============================\n',
    ['no-tests', 'tests'],
  ],
  [
    'unittest without tests',
    5,
    '\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n',
    ['no-tests', 'tests'],
  ],
  ['mocha without files', 1, 'Error: No test files found: "test"\n', ['no-tests', 'tests']],
  ['ava without files', 1, "\n  ✖ Couldn't find any files to test\n", ['no-tests', 'tests']],
  ['go without packages', 1, 'go: warning: "./..." matched no packages\nno packages to test\n', ['no-tests', 'tests']],
  [
    'the script that npm init writes',
    1,
    '> echo "Error: no test specified" && exit 1\n\nError: no test specified\n',
    ['no-tests', 'tests'],
  ],
  ['tests that are all skipped', 0, 'Ran 0 tests in 0.000s\n\nOK\n', ['no-tests', 'tests']],

  ['node, a port', 1, 'Error: listen EADDRINUSE: address already in use :::3000\n', ['port', '3000']],
  ['python, a port', 1, 'OSError: [Errno 98] Address already in use\n', ['port', 'a port']],
  ['go, a port', 1, 'panic: listen tcp :8080: bind: address already in use\n', ['port', '8080']],

  [
    'npm, the registry',
    1,
    'npm error request to https://registry.example.org/x failed, reason: getaddrinfo ENOTFOUND registry.example.org\n',
    ['network', 'registry.example.org'],
  ],
  [
    'git',
    128,
    "fatal: unable to access 'https://github.com/x/y/': Could not resolve host: github.com\n",
    ['network', 'github.com'],
  ],
  ['cargo, the registry', 101, cargoNetwork, ['network', 'index.crates.io']],
  [
    'go, the proxy',
    1,
    'go: github.com/x/y@v1.0.0: Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org on 127.0.0.53:53: no such host\n',
    ['network', 'proxy.golang.org'],
  ],
  [
    'maven',
    1,
    '[ERROR] Unknown host repo.maven.apache.org: java.net.UnknownHostException: repo.maven.apache.org\n',
    ['network', 'repo.maven.apache.org'],
  ],
  ['node, a service', 1, 'Error: connect ECONNREFUSED 127.0.0.1:5432\n', ['network', '127.0.0.1:5432']],
  ['node, a service by IPv6', 1, 'AggregateError: connect ECONNREFUSED ::1:6379\n', ['network', '::1:6379']],
  ['go, a service', 1, 'dial tcp 127.0.0.1:5432: connect: connection refused\n', ['network', '127.0.0.1:5432']],
  [
    'python, a service',
    1,
    'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.\n',
    ['network', 'localhost:6379'],
  ],
  [
    'postgres',
    2,
    'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused\n',
    ['network', 'port 5432'],
  ],
  ['old postgres', 2, 'psql: could not connect to server: Connection refused\n', ['network', 'server']],
  ['mysql', 1, "ERROR 2003: Can't connect to MySQL server on '127.0.0.1' (111)\n", ['network', 'MySQL server']],

  [
    'npx without the package',
    1,
    'npm error npx canceled due to missing packages and no YES option: ["eslint@10.0.1"]\n',
    ['program', 'eslint'],
  ],
  [
    'npx without a package with a scope',
    1,
    'npm ERR! npx canceled due to missing packages and no YES option: ["@biomejs/biome@2.0.0"]\n',
    ['program', '@biomejs/biome'],
  ],
]

describe('a check that cannot run', () => {
  test.each(missing)('%s', (_name, exitCode, text, expected) => {
    expect(judged(exitCode, text)).toEqual(expected)
  })

  test('names the program when it was never started', () => {
    expect(judged(null, 'spawn pytest ENOENT', { started: false, command: 'CI=1 pytest -q' })).toEqual([
      'program',
      'pytest',
    ])
  })
})

describe('a check that runs and fails', () => {
  const fails: [name: string, exitCode: number, text: string][] = [
    ['an assertion', 1, 'AssertionError [ERR_ASSERTION]: 1 == 2\n'],
    [
      'a file of the project, by a relative path',
      1,
      "Error: Cannot find module './sum'\nRequire stack:\n- /w/a.test.js\n",
    ],
    ['a built-in module', 1, "Error: Cannot find module 'node:sqlite'\n"],
    ['an alias', 1, 'Error: Failed to resolve import "@/app" from "src/a.ts". Does the file exist?\n'],
    ['a type error', 2, "src/a.ts(1,19): error TS2307: Cannot find module 'zod' or its type declarations.\n"],
    ['a red word without a cause', 1, 'FAIL\n'],
    ['nothing', 1, ''],
    [
      'an assertion beside a used port',
      1,
      'listen EADDRINUSE: address already in use :::3000\nAssertionError: no answer\n',
    ],
    ['a server that a test starts itself', 1, 'Error: connect ECONNREFUSED 127.0.0.1:41873\n'],
    ['an assertion beside a missing program', 127, '--- FAIL: TestTool (0.00s)\nsh: 1: tool: not found\n'],
    [
      'passing tests beside a missing package',
      1,
      "  3 passing (5ms)\n  1 failing\n\n  1) loads:\n     Error: Cannot find module 'zod'\n",
    ],
    ['a missing program in the middle of the output', 1, 'sh: 1: optional: not found\na\nb\nc\nd\nFAIL\n'],
  ]
  test.each(fails)('%s', (_name, exitCode, text) => {
    expect(judged(exitCode, text)).toBeNull()
  })

  test('passes, timed out, or was ended by a signal', () => {
    expect(judged(0, 'sh: 1: optional: not found\n')).toBeNull()
    expect(judged(127, 'sh: 1: jest: not found\n', { timedOut: true })).toBeNull()
    expect(judged(null, 'sh: 1: jest: not found\n')).toBeNull()
  })
})

describe('what a script, Java and npm say', () => {
  const npm = '> x@1.0.0 test\n> echo "Error: no test specified" && exit 1\n\nError: no test specified\n'
  test.each<[text: string, exitCode: number, expected: [string, string]]>([
    ['./v.sh: 3: nope: not found', 127, ['program', 'nope']],
    ['./v.sh: line 3: nope: command not found', 127, ['program', 'nope']],
    ['scripts/verify: line 3: nope: command not found', 127, ['program', 'nope']],
    ['java.lang.ClassNotFoundException: org.junit.runner.JUnitCore', 1, ['module', 'org.junit.runner.JUnitCore']],
    ['A.java:1: error: package org.junit does not exist', 1, ['module', 'org.junit']],
    [npm, 1, ['no-tests', 'tests']],
  ])('%s', (text, exitCode, expected) => expect(judged(exitCode, text, { command: './v.sh' })).toEqual(expected))
})

import { describe, expect, test } from 'vitest'
import { openRepository, temporaryFolder } from '../../test/kit/repository.ts'
import { setupReadsSources } from './setup-sources.ts'

function readsSources(line: string, files: Record<string, string> = {}): boolean {
  const folder = openRepository(temporaryFolder())
  for (const [path, text] of Object.entries(files)) folder.write(path, text)
  return setupReadsSources(folder.root, new Map(), [line])
}

test.each([
  'uv sync',
  'uv sync --frozen',
  'poetry install',
  'pipenv install',
  'bundle install',
  'composer install',
  'make',
])('%s may build the project itself', (line) => {
  expect(readsSources(line)).toBe(true)
})

test.each(['npm ci', 'yarn', 'cargo fetch', 'go mod download', 'mix deps.get'])('%s reads no sources', (line) => {
  expect(readsSources(line)).toBe(false)
})

describe('pip install -r', () => {
  const pip = 'pip install -r r.txt'
  const packages = '# tools\nrequests==2.31.0  # http\n\nDjango[argon2] >=4,<5 ; python_version >= "3.8"\nruff\r\n'
  const hashed =
    '--index-url https://pypi.org/simple\n--require-hashes\n'
    + 'ruff==1 \\\n    --hash=sha256:ab \\\n    --hash=sha256:cd\n'

  test.each([
    [pip, packages],
    [pip, hashed],
    [pip, ''],
    [`python3 -m ${pip} -q --no-deps`, packages],
    [`${pip} --index-url=https://host:1/simple`, packages],
  ])('%s reads no sources when it names packages only: %j', (line, text) => {
    expect(readsSources(line, { 'r.txt': text })).toBe(false)
  })

  test.each([
    '-e .',
    '.',
    './lib',
    '../lib',
    'lib/',
    '/lib',
    '--editable=.',
    '.[dev]',
    '-r other.txt',
    '-c limits.txt',
    'lib.whl',
    'lib.zip',
    'lib @ file:///lib',
    '${HOME}/lib',
    '-f wheels',
    '--find-links=wheels',
    '# comment \\\n-e .',
    '# comment\u2028-e .',
    'lib.z\\\nip',
  ])('reads sources when it may name a path: %j', (text) => {
    expect(readsSources(pip, { 'r.txt': `${packages}${text}\n` })).toBe(true)
  })

  test.each([
    'pip install -r none.txt',
    'pip install -r ../r.txt',
    'pip install -r /r.txt',
    `${pip} -r none.txt`,
    `${pip} -e.`,
    `${pip} .`,
    `${pip} --constraint=r.txt`,
    `${pip};make`,
    `${pip} --find-links=wheels`,
    'pip install .',
  ])('%s reads sources', (line) => {
    expect(readsSources(line, { 'r.txt': packages })).toBe(true)
  })
})

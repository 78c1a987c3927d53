/** Honest agents whose work is green where they made it, and not in a clone: it is not done, and they are told why. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addMul, playCase, product, promptOf, testOfMul, type HostileCase } from '../kit/hostile.ts'
import type { Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 600_000 })

const ignoring = { ...product, '.gitignore': 'gen/\n' }
/** A test that reads a file's bytes. */
const expectsBytes = (file: string, bytes: string): string =>
  `write('test/bytes.mjs', ${JSON.stringify(`import assert from 'node:assert'
import fs from 'node:fs'
assert.equal(fs.readFileSync(${JSON.stringify(file)}, 'latin1'), ${JSON.stringify(bytes)})
`)})`
/** A test that runs a program of the tree. */
const runs = (file: string): string =>
  `write('test/run.mjs', "import { execFileSync } from 'node:child_process'\\nexecFileSync('./${file}')\\n")`

const homeFile = (project: Project, path: string, text: string): void => {
  const file = join(dirname(project.root), path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** `sub` with one file, as a submodule of the project. */
function addSubmodule(project: Project): void {
  const sub = join(project.notes, 'sub')
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-C', sub, ...args], {
      stdio: 'pipe',
    })
  mkdirSync(sub)
  writeFileSync(join(sub, 'sub.mjs'), 'export const name = "sub"\n')
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'sub')
  project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'sub')
  project.git('commit', '-q', '-m', 'add sub')
}

const editSubmodule = `
fs.appendFileSync('sub/sub.mjs', 'export const mul = (a, b) => a * b\\n')
write('test/mul.mjs', ${JSON.stringify(testOfMul('sub/sub.mjs'))})
`

/** Needs no remote: git takes the repository that is there. */
const newSubmodule = `
if (!fs.existsSync('sub')) {
  write('sub/mul.mjs', 'export const mul = (a, b) => a * b\\n')
  sh('git init -q sub && git -C sub add -A && git -C sub -c user.name=a -c user.email=a@b commit -qm mul')
  git('submodule', 'add', 'https://localhost/sub', 'sub')
}
write('test/mul.mjs', ${JSON.stringify(testOfMul('sub/mul.mjs'))})
`

/** A package that a test imports, in `node_modules` of another folder. */
const installIn = (folder: string): string => `
write(path.join(${folder}, 'node_modules/dep/index.js'), 'export default 1')
write(path.join(${folder}, 'node_modules/dep/package.json'), '{"type":"module"}')
write('test/dep.mjs', "import 'dep'\\n")
`

const cases: HostileCase[] = [
  {
    name: 'a module that .gitignore ignores',
    files: ignoring,
    coder: addMul('gen/mul.mjs'),
    expected: 'failed',
    told: '`gen/mul.mjs` is ignored by `.gitignore:1` and will not land',
  },
  {
    name: 'the same, moved when the agent is told',
    files: ignoring,
    expected: 'completed',
    coder: `if (fixing) { ${addMul('lib/mul.mjs')} } else { ${addMul('gen/mul.mjs')} }`,
    told: '`gen/mul.mjs` is ignored by `.gitignore:1` and will not land',
  },
  {
    name: 'the same, added by force when the agent is told',
    files: ignoring,
    expected: 'completed',
    coder: `${addMul('gen/mul.mjs')}\nif (fixing) git('add', '-f', 'gen/mul.mjs')`,
    after: ({ landed }) => expect(landed).toContain('gen/mul.mjs'),
  },
  {
    name: 'a module that a rule of the agent ignores',
    coder: `${addMul('out/mul.mjs')}\nwrite('.gitignore', '# made\\nout\\n')`,
    expected: 'failed',
    told: '`out/mul.mjs` is ignored by `.gitignore:2` and will not land',
  },
  {
    name: 'a module that a .gitignore further down ignores',
    files: { ...product, 'lib/.gitignore': '*.mjs\n!add.mjs\n' },
    expected: 'failed',
    coder: addMul(),
    told: '`lib/mul.mjs` is ignored by `lib/.gitignore:1` and will not land',
  },
  {
    name: 'a module that info/exclude of the checkout ignores',
    coder: addMul('gen/mul.mjs'),
    expected: 'failed',
    before: (project) => project.write('.git/info/exclude', 'gen/\n'),
    told: '`gen/mul.mjs` is ignored by `.git/info/exclude:1` and will not land',
  },
  {
    name: "a module that info/exclude of the clone ignores: the rule is the agent's own",
    expected: 'completed',
    coder: `${addMul('gen/mul.mjs')}\nfs.appendFileSync('.git/info/exclude', 'gen/\\n')`,
    after: ({ landed }) => expect(landed).toContain('gen/mul.mjs'),
  },
  {
    name: "a module that the user's global rules ignore",
    coder: addMul('gen/mul.mjs'),
    expected: 'failed',
    before: (project) => homeFile(project, '.config/git/ignore', '# mine\ngen/\n'),
    told: '`gen/mul.mjs` is ignored',
  },
  {
    name: 'an ignored module that the agent cannot get right in two attempts',
    files: ignoring,
    coder: addMul('gen/mul.mjs'),
    config: { limits: { attempts: 2, fixCycles: 0, splitDepth: 0, goalIterations: 0 } },
    expected: 'failed',
    after: ({ project }) =>
      expect(promptOf(project, 'T001/a2/implement')).toContain('`gen/mul.mjs` is ignored by `.gitignore:1`'),
  },
  {
    name: 'an empty folder that a test needs',
    expected: 'failed',
    coder: `fs.mkdirSync('uploads', { recursive: true });
      write('test/uploads.mjs', "import fs from 'node:fs'\\nfs.readdirSync('uploads')\\n")`,
    told: 'the folder `uploads/` is empty: git does not keep empty folders, so it will not land',
  },
  {
    name: 'the same, kept by a file when the agent is told',
    expected: 'completed',
    coder: `fs.mkdirSync('uploads', { recursive: true });
      write('test/uploads.mjs', "import fs from 'node:fs'\\nfs.readdirSync('uploads')\\n")
if (fixing) write('uploads/.gitkeep', '')`,
  },
  {
    name: 'an edit inside a submodule that is in no commit',
    before: addSubmodule,
    coder: editSubmodule,
    expected: 'failed',
    told: 'the changes inside the submodule `sub` are not committed there and will not land',
  },
  {
    name: 'the same, committed there when the agent is told',
    before: addSubmodule,
    expected: 'completed',
    coder: `if (!fs.readFileSync('sub/sub.mjs', 'utf8').includes('mul')) { ${editSubmodule} }
if (fixing) sh('git -C sub -c user.name=a -c user.email=a@b commit -qam mul')`,
  },
  {
    name: 'an edit inside a submodule, committed there',
    before: addSubmodule,
    expected: 'completed',
    coder: `${editSubmodule}\nsh('git -C sub -c user.name=a -c user.email=a@b commit -qam mul')`,
  },
  {
    name: 'a submodule that the agent adds, with a test that needs its files',
    coder: newSubmodule,
    expected: 'failed',
    told: '`sub/` is a submodule that Looper does not fetch',
  },
  {
    name: 'an edit in a submodule that the agent adds',
    coder: `${newSubmodule}\nfs.appendFileSync('sub/mul.mjs', '// edited\\n')`,
    expected: 'failed',
    told: 'the changes inside the submodule `sub` are not committed there and will not land',
  },
  {
    name: 'a file that the attribute ident rewrites',
    files: { ...product, '.gitattributes': '*.tpl ident\n' },
    expected: 'failed',
    coder: `write('page.tpl', '$Id$\\n'); ${expectsBytes('page.tpl', '$Id$\n')}`,
  },
  {
    name: 'a file that the attribute eol rewrites',
    files: { ...product, '.gitattributes': '*.dat text eol=crlf\n' },
    expected: 'failed',
    coder: `write('a.dat', 'a\\nb\\n'); ${expectsBytes('a.dat', 'a\nb\n')}`,
  },
  {
    name: 'a file that the attribute text rewrites',
    files: { ...product, '.gitattributes': '* text=auto\n' },
    expected: 'failed',
    coder: `write('a.txt', 'a\\r\\nb\\r\\n'); ${expectsBytes('a.txt', 'a\r\nb\r\n')}`,
  },
  {
    name: 'attributes that come with the file',
    expected: 'failed',
    coder: `write('a.txt', 'a\\r\\nb\\r\\n'); write('.gitattributes', '*.txt text eol=lf\\n');
      ${expectsBytes('a.txt', 'a\r\nb\r\n')}`,
  },
  {
    name: 'an attribute that encodes a file, as it should',
    expected: 'completed',
    coder: `fs.writeFileSync('a.u16', Buffer.from('\\ufeffab\\n', 'utf16le'));
      write('.gitattributes', '*.u16 working-tree-encoding=UTF-16LE-BOM\\n')
${expectsBytes('a.u16', '\u00FF\u00FEa\u0000b\u0000\n\u0000')}`,
  },
  {
    name: 'a program whose mode the clone does not follow: Looper does',
    expected: 'completed',
    coder: `git('config', 'core.fileMode', 'false'); write('tool', '#!/bin/sh\\nexit 0\\n');
      fs.chmodSync('tool', 0o755); ${runs('tool')}`,
  },
  {
    name: 'a program whose mode the checkout does not follow',
    expected: 'failed',
    before: (project) => void project.git('config', 'core.fileMode', 'false'),
    coder: `write('tool', '#!/bin/sh\\nexit 0\\n'); fs.chmodSync('tool', 0o755); ${runs('tool')}`,
  },
  {
    name: 'a program in ignored node_modules/.bin',
    files: { ...product, '.gitignore': 'node_modules\n' },
    expected: 'failed',
    coder: `write('node_modules/.bin/tool', '#!/bin/sh\\nexit 0\\n'); fs.chmodSync('node_modules/.bin/tool', 0o755);
      ${runs('node_modules/.bin/tool')}`,
    told: '`node_modules/.bin/tool` is ignored by `.gitignore:1` and will not land',
  },
  {
    name: 'a check that believes an ignored cache',
    expected: 'failed',
    files: {
      ...product,
      '.gitignore': '.cache\n',
      'check.mjs': `import fs from 'node:fs'
if (fs.existsSync('.cache/result')) process.exit(0)
${product['check.mjs']}`,
    },
    coder: `write('.cache/result', 'green'); write('test/mul.mjs', "import '../lib/mul.mjs'\\n")`,
  },
  {
    name: 'a lock file that is ignored, and what was installed by it',
    files: { ...product, '.gitignore': 'node_modules\npackage-lock.json\n' },
    expected: 'failed',
    coder: `write('package-lock.json', '{}'); write('node_modules/dep/index.js', 'export default 1');
      write('node_modules/dep/package.json', '{"type":"module"}')
write('test/dep.mjs', "import 'dep'\\n")`,
    told: 'is ignored by `.gitignore:1` and will not land',
  },
  ...['..', '../..'].map((up): HostileCase => ({
    name: `node_modules in ${up} of the workspace`,
    expected: 'failed',
    coder: installIn(`'${up}'`),
    changes: ['.cache/looper'],
  })),
  ...['.cache/looper/workspaces', '.cache/looper', ''].map((folder): HostileCase => ({
    // No check can run until the folder is gone, so the run waits for the user.
    name: `node_modules in ~/${folder}`,
    expected: 'paused',
    coder: installIn(`home + '/${folder}'`),
    changes: ['.cache/looper/node_modules', 'node_modules'],
    told: 'New in a folder above the workspaces',
    confined: { why: 'these folders cannot be written', told: null, expected: 'failed' },
  })),
  {
    name: 'node_modules in ~, removed when the agent is told',
    expected: 'completed',
    restores: ['~/node_modules'],
    confined: { why: 'the agent ends with an error when it cannot write there', expected: 'failed' },
    coder: `if (fixing) { fs.rmSync(home + '/node_modules', { recursive: true });
      write('test/dep.mjs', "import '../lib/add.mjs'\\n") } else { ${installIn('home')} }`,
  },
  {
    name: 'node_modules in ~ that the user had before the run',
    expected: 'failed',
    coder: addMul('gen/mul.mjs'),
    files: ignoring,
    before: (project) => homeFile(project, 'node_modules/dep/index.js', ''),
    told: '`gen/mul.mjs` is ignored',
  },
]

test.each(cases)('$name', async (hostile) => void (await playCase(hostile)))

/** Work that is green for a reason outside its tree: processes, leftovers of others, caches of checks, neighbors. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addMul, playCase, product, type HostileCase } from '../kit/hostile.ts'

vi.setConfig({ testTimeout: 600_000 })

const chain = [
  { id: 'T001', title: 'one' },
  { id: 'T002', title: 'two', dependsOn: ['T001'] },
]
const two = [
  { id: 'T001', title: 'one' },
  { id: 'T002', title: 'two' },
]
const ignoring = { ...product, '.gitignore': 'gen/\n' }

/** A process that writes the right module again and again, as a build in watch mode does. */
const watch = `const right = 'export const mul = (a, b) => a * b\\n'
write(env.NOTES + '/watch.mjs', [
  'import fs from "node:fs"', 'setInterval(() => {',
  'try { fs.writeFileSync(' + JSON.stringify(path.resolve('lib/mul.mjs')) + ', ' + JSON.stringify(right) + ') } catch {}',
  'if (!fs.existsSync(' + JSON.stringify(env.NOTES) + ')) process.exit()', '}, 5)',
].join('\\n'))
const started = spawn('setsid', [...wrapper, process.execPath, env.NOTES + '/watch.mjs'],
  { detached: true, stdio: 'ignore' })
note('pids', started.pid)
started.unref()
${addMul()}
write('lib/mul.mjs', 'export const mul = (a, b) => 0\\n')`

const noteIgnored = `note('found-' + task, git('ls-files', '--others').split('\\n').filter(Boolean).join(' '))`
const noted = (folder: string, name: string): string =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''

/** A project whose test needs what set-up makes. */
const setUp = {
  ...product,
  '.gitignore': 'made\n',
  'setup.sh': 'echo > made\n',
  'test/made.mjs': `import fs from 'node:fs'\nfs.readFileSync('made')\n`,
}

/** A package whose tests import what its `prepare` script makes. */
const built = {
  ...product,
  '.gitignore': 'dist\nnode_modules\n.c\n',
  'test/add.mjs': product['test/add.mjs']?.replace('lib', 'dist') ?? '',
  'src/add.mjs': product['lib/add.mjs'] ?? '',
  'build.mjs': `import fs from 'node:fs'\nfs.cpSync('src', 'dist', { recursive: true })\n`,
  'package.json': '{"name":"p","version":"1.0.0","scripts":{"prepare":"node build.mjs"}}\n',
  'package-lock.json':
    '{"name":"p","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"p","version":"1.0.0"}}}\n',
}

/** A test that is red once, until it finds a file that it wrote. */
const redOnce = (file: string): string => `write('test/again.mjs', [
  "import fs from 'node:fs'",
  "if (!fs.existsSync('${file}')) { fs.writeFileSync('${file}', ''); throw new Error('first') }", '',
].join('\\n'))`

/** Renames `add` to `sum` everywhere. */
const rename = `write('lib/add.mjs', 'export const sum = (a, b) => a + b\\n')
  const old = fs.readFileSync('test/add.mjs', 'utf8')
  write('test/add.mjs', old.replaceAll('add(', 'sum(').replace('{ add }', '{ sum }'))`

const cases: HostileCase[] = [
  {
    // On a busy machine it may repair the work tree before the turn ends: then the right file lands.
    name: 'a process that repairs the work tree while checks run',
    expected: 'either',
    coder: `const wrapper = []\n${watch}`,
  },
  {
    name: 'the same, without the environment it was given',
    expected: 'either',
    coder: `const wrapper = ['env', '-i']\n${watch}`,
  },
  {
    name: 'a process that stays behind',
    expected: 'completed',
    coder: `${addMul()}\nspawn('setsid', ['sh', '-c', 'trap "" TERM HUP; while :; do sleep 1; done'],
      { detached: true, stdio: 'ignore' }).unref()`,
  },
  {
    name: 'a process that stays behind without its environment',
    expected: 'completed',
    coder: `${addMul()}\nconst stubborn = 'trap "" TERM HUP; while :; do /bin/sleep 1; done'
spawn('setsid', ['env', '-i', 'sh', '-c', stubborn], { detached: true, stdio: 'ignore' }).unref(); await sleep(100)`,
  },
  {
    name: 'an agent that ends its own process group',
    expected: 'failed',
    coder: `${addMul()}\nprocess.kill(0, 'SIGKILL'); await sleep(1e6)`,
  },
  {
    name: 'ignored files of one task are gone for the next',
    files: ignoring,
    tasks: chain,
    config: { parallel: 1 },
    expected: 'completed',
    coder: `${noteIgnored}\nwrite('gen/' + task + '.mjs', ''); write(task + '.txt', task);
      fs.mkdirSync('empty-' + task)`,
    after: ({ project }) => {
      expect([noted(project.notes, 'found-T001'), noted(project.notes, 'found-T002')]).toEqual(['\n', '\n'])
    },
  },
  {
    name: 'an ignored module of one task does not make the next one green',
    files: ignoring,
    tasks: chain,
    config: { parallel: 1 },
    expected: 'failed',
    coder: `if (task === 'T001') { write('gen/mul.mjs', 'export const mul = (a, b) => a * b\\n');
      write('T001.txt', 'x') }
else write('test/mul.mjs', "import '../gen/mul.mjs'\\n")`,
    after: ({ done }) => expect(done).toEqual(['T001']),
  },
  {
    name: 'ignored settings of one task do not make the next one red',
    tasks: chain,
    config: { parallel: 1 },
    expected: 'completed',
    files: {
      ...ignoring,
      'test/settings.mjs': `import fs from 'node:fs'\nif (fs.existsSync('gen/broken')) throw new Error('broken')\n`,
    },
    coder: `write('gen/broken', ''); write(task + '.txt', task)`,
  },
  {
    name: 'ignored files of one attempt are gone for the next',
    files: ignoring,
    expected: 'failed',
    config: { limits: { attempts: 2, fixCycles: 0, splitDepth: 0, goalIterations: 0 } },
    coder: `note('found', git('ls-files', '--others')); write('gen/mul.mjs', '');
      write('test/mul.mjs', "import '../gen/mul.mjs'\\n")`,
    after: ({ project }) => expect(noted(project.notes, 'found')).toBe('\n\n'),
  },
  {
    name: 'a check that is green the second time, by a file it wrote',
    expected: 'failed',
    config: { checkReruns: 2 },
    coder: redOnce('.seen'),
  },
  {
    name: 'the same, by a file beside the workspace',
    expected: 'failed',
    config: { checkReruns: 2 },
    coder: redOnce('../.seen'),
  },
  { name: 'the same, by a file in .git', expected: 'failed', config: { checkReruns: 2 }, coder: redOnce('.git/seen') },
  {
    name: 'a test that writes into tracked files',
    expected: 'completed',
    coder: `${addMul()}
write('test/writes.mjs', "import fs from 'node:fs'\\nfs.writeFileSync('README.md', 'spoilt')\\n")`,
    after: ({ project, status }) => expect(project.git('show', `${status.branch}:README.md`)).toBe('# test'),
  },
  {
    name: 'a test that repairs what it tests',
    expected: 'failed',
    checks: ['node check.mjs', 'node check.mjs --again'],
    coder: `${addMul()}\nwrite('lib/mul.mjs', 'export const mul = 0\\n');
      write('test/a-repair.mjs', ${JSON.stringify(`import fs from 'node:fs'
if (process.argv[2]) fs.readFileSync('made')
else fs.writeFileSync('made', '')
`)})`,
  },
  {
    name: 'a test that commits in its workspace',
    expected: 'completed',
    coder: `${addMul()}\nwrite('test/commits.mjs', ${JSON.stringify(`import { execFileSync } from 'node:child_process'
const who = ['-c', 'user.name=a', '-c', 'user.email=a@b']
execFileSync('git', [...who, 'commit', '--allow-empty', '-qm', 'x'])
execFileSync('git', ['tag', '-f', 'x'])
`)})`,
  },
  {
    name: 'a test that leaves a process',
    expected: 'completed',
    coder: `${addMul()}\nwrite('test/daemon.mjs', ${JSON.stringify(`import { spawn } from 'node:child_process'
spawn('setsid', ['sleep', '1000'], { detached: true, stdio: 'ignore' }).unref()
`)})`,
  },
  {
    name: 'two tasks, each green alone and red together',
    tasks: two,
    config: { parallel: 2 },
    expected: 'failed',
    coder: `await meet('both', 2)
if (task === 'T001') { ${rename} }
else write('test/more.mjs', "import { add } from '../lib/add.mjs'\\nadd(1, 2)\\n")`,
    after: ({ done }) => expect(done).toHaveLength(1),
  },
  {
    name: 'the same, fixed when the second is told',
    tasks: two,
    config: { parallel: 2 },
    expected: 'completed',
    coder: `if (!fixing) await meet('both', 2)
if (task === 'T001' && !fixing) { ${rename} }
if (task === 'T002' && !fixing) write('test/more.mjs', "import { add } from '../lib/add.mjs'\\nadd(1, 2)\\n")
if (fixing) { write('lib/add.mjs', 'export const sum = (a, b) => a + b\\nexport const add = sum\\n') }`,
  },
  {
    name: 'a set-up that the agent breaks',
    expected: 'failed',
    files: setUp,
    setup: ['sh setup.sh'],
    coder: `write('setup.sh', 'exit 3\\n')`,
    told: 'set-up',
  },
  {
    name: 'a set-up that the agent repairs when it is told',
    expected: 'completed',
    setup: ['sh setup.sh'],
    files: setUp,
    coder: `write('setup.sh', fixing ? 'echo more > made\\n' : 'exit 3\\n')`,
    told: 'set-up',
  },
  {
    name: 'a set-up that forgets a step whose result is still there',
    expected: 'failed',
    setup: ['sh setup.sh'],
    files: setUp,
    coder: `write('setup.sh', 'true\\n')`,
  },
  {
    name: 'a manifest that the lock file does not follow',
    expected: 'failed',
    setup: ['node install.mjs'],
    files: {
      ...product,
      '.gitignore': 'node_modules\n',
      'package.json': '{"dependencies":{}}\n',
      'package-lock.json': '{}\n',
      'install.mjs': `import fs from 'node:fs'
const wanted = fs.readFileSync('package.json', 'utf8')
if (wanted.includes('left-pad')) throw new Error('not in the lock file')
`,
    },
    coder: `write('package.json', '{"dependencies":{"left-pad":"1"}}\\n')`,
    told: 'not in the lock file',
  },
  {
    name: 'a product that set-up builds, broken',
    expected: 'failed',
    setup: ['npm ci --cache=.c --no-update-notifier'],
    files: built,
    coder: `write('src/add.mjs', 'export const add = () => 0\\n')`,
  },
  {
    name: 'a product that set-up builds, with more in it',
    expected: 'completed',
    setup: ['npm ci --cache=.c --no-update-notifier'],
    files: built,
    coder:
      addMul('src/mul.mjs') + `write('test/mul.mjs', fs.readFileSync('test/mul.mjs', 'utf8').replace('src', 'dist'))`,
  },
  {
    name: 'a generator that reads a file of the tree',
    expected: 'completed',
    setup: ['cp schema.json made'],
    files: { ...setUp, 'schema.json': '1' },
    coder: `write('schema.json', '2')
write('test/made.mjs', "import fs from 'node:fs'; if (fs.readFileSync('made', 'utf8') !== '2') throw new Error('old')")`,
  },
  {
    name: 'a test that imports from its workspace by an absolute path',
    expected: 'failed',
    told: 'names the folder of its workspace',
    confined: { why: 'checks see no workspace of an agent there', told: null },
    coder:
      addMul()
      + `write('.gitignore', 'lib/mul.mjs\\n')
write('test/mul.mjs', fs.readFileSync('test/mul.mjs', 'utf8').replace('../lib', path.resolve('lib')))`,
  },
  {
    name: 'a link that leads into its workspace',
    expected: 'failed',
    told: 'names the folder of its workspace',
    confined: { why: 'checks see no workspace of an agent there', told: null },
    coder:
      addMul()
      + `write('.gitignore', 'lib/mul.mjs\\n'); fs.mkdirSync('links', { recursive: true }); fs.rmSync('links/mul.mjs', { force: true })
fs.symlinkSync(path.resolve('lib/mul.mjs'), 'links/mul.mjs')
write('test/mul.mjs', fs.readFileSync('test/mul.mjs', 'utf8').replace('../lib', '../links'))`,
  },
]

test.each(cases)('F12: $name', async (hostile) => void (await playCase(hostile)))

/** Work that is green for a reason outside its tree: processes, leftovers of others, caches of checks, and neighbours. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addMul, playCase, product, type HostileCase } from '../kit/hostile.ts'

vi.setConfig({ testTimeout: 300_000 })

const chain = [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two', dependsOn: ['T001'] }]
const two = [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }]
const ignoring = { ...product, '.gitignore': 'gen/\n' }

/** A process that writes the right module again and again, as a build in watch mode does. */
const watch = `const right = 'export const mul = (a, b) => a * b\\n'
write(env.NOTES + '/watch.mjs', 'import fs from "node:fs"; setInterval(() => { try { fs.writeFileSync(' + JSON.stringify(path.resolve('lib/mul.mjs')) + ', ' + JSON.stringify(right) + ') } catch {} if (!fs.existsSync(' + JSON.stringify(env.NOTES) + ')) process.exit() }, 5)')
const started = spawn('setsid', [...wrapper, process.execPath, env.NOTES + '/watch.mjs'], { detached: true, stdio: 'ignore' })
note('pids', started.pid)
started.unref()
${addMul()}
write('lib/mul.mjs', 'export const mul = (a, b) => 0\\n')`

const noteIgnored = `note('found-' + task, git('ls-files', '--others').split('\\n').filter(Boolean).join(' '))`
const noted = (folder: string, name: string): string => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')

const cases: HostileCase[] = [
  { name: 'a process that repairs the work tree while checks run', expected: 'failed', coder: `const wrapper = []\n${watch}` },
  { name: 'the same, without the environment it was given', expected: 'failed', coder: `const wrapper = ['env', '-i']\n${watch}` },
  {
    name: 'a process that stays behind', expected: 'completed',
    coder: `${addMul()}\nspawn('setsid', ['sh', '-c', 'trap "" TERM HUP; while :; do sleep 1; done'], { detached: true, stdio: 'ignore' }).unref()`,
  },
  {
    name: 'a process that stays behind without its environment', expected: 'completed',
    coder: `${addMul()}\nspawn('setsid', ['env', '-i', 'sh', '-c', 'trap "" TERM HUP; while :; do /bin/sleep 1; done'], { detached: true, stdio: 'ignore' }).unref(); await sleep(100)`,
  },
  { name: 'an agent that ends its own process group', expected: 'failed', coder: `${addMul()}\nprocess.kill(0, 'SIGKILL'); await sleep(1e6)` },
  {
    name: 'ignored files of one task are gone for the next', files: ignoring, tasks: chain, config: { parallel: 1 }, expected: 'completed',
    coder: `${noteIgnored}\nwrite('gen/' + task + '.mjs', ''); write(task + '.txt', task); fs.mkdirSync('empty-' + task)`,
    after: ({ project }) => {
      expect([noted(project.notes, 'found-T001'), noted(project.notes, 'found-T002')]).toEqual(['\n', '\n'])
    },
  },
  {
    name: 'an ignored module of one task does not make the next one green', files: ignoring, tasks: chain, config: { parallel: 1 }, expected: 'failed',
    coder: `if (task === 'T001') { write('gen/mul.mjs', 'export const mul = (a, b) => a * b\\n'); write('T001.txt', 'x') }
else write('test/mul.mjs', "import '../gen/mul.mjs'\\n")`,
    after: ({ done }) => expect(done).toEqual(['T001']),
  },
  {
    name: 'ignored settings of one task do not make the next one red', tasks: chain, config: { parallel: 1 }, expected: 'completed',
    files: { ...ignoring, 'test/settings.mjs': `import fs from 'node:fs'\nif (fs.existsSync('gen/broken')) throw new Error('broken')\n` },
    coder: `write('gen/broken', ''); write(task + '.txt', task)`,
  },
  {
    name: 'ignored files of one attempt are gone for the next', files: ignoring, expected: 'failed',
    config: { limits: { attempts: 2, fixCycles: 0, splitDepth: 0, goalIterations: 0 } },
    coder: `note('found', git('ls-files', '--others')); write('gen/mul.mjs', ''); write('test/mul.mjs', "import '../gen/mul.mjs'\\n")`,
    after: ({ project }) => expect(noted(project.notes, 'found')).toBe('\n\n'),
  },
  {
    name: 'a check that is green the second time, by a file it wrote', expected: 'failed', config: { checkReruns: 2 },
    coder: `write('test/again.mjs', "import fs from 'node:fs'\\nif (!fs.existsSync('.seen')) { fs.writeFileSync('.seen', ''); throw new Error('first') }\\n")`,
  },
  {
    name: 'the same, by a file beside the workspace', expected: 'failed', config: { checkReruns: 2 },
    coder: `write('test/again.mjs', "import fs from 'node:fs'\\nif (!fs.existsSync('../.seen')) { fs.writeFileSync('../.seen', ''); throw new Error('first') }\\n")`,
  },
  {
    name: 'the same, by a file in .git', expected: 'failed', config: { checkReruns: 2 },
    coder: `write('test/again.mjs', "import fs from 'node:fs'\\nif (!fs.existsSync('.git/seen')) { fs.writeFileSync('.git/seen', ''); throw new Error('first') }\\n")`,
  },
  {
    name: 'a test that writes into tracked files', expected: 'completed',
    coder: `${addMul()}\nwrite('test/writes.mjs', "import fs from 'node:fs'\\nfs.writeFileSync('README.md', 'spoilt')\\n")`,
    after: ({ project, status }) => expect(project.git('show', `${status.branch}:README.md`)).toBe('# test'),
  },
  {
    name: 'a test that repairs what it tests', expected: 'failed', checks: ['node check.mjs', 'node check.mjs --again'],
    coder: `${addMul()}\nwrite('lib/mul.mjs', 'export const mul = 0\\n'); write('test/a-repair.mjs', "import fs from 'node:fs'\\nif (process.argv[2]) fs.readFileSync('made'); else fs.writeFileSync('made', '')\\n")`,
  },
  {
    name: 'a test that commits in its workspace', expected: 'completed',
    coder: `${addMul()}\nwrite('test/commits.mjs', "import { execFileSync } from 'node:child_process'\\nexecFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-qm', 'x'])\\nexecFileSync('git', ['tag', '-f', 'x'])\\n")`,
  },
  {
    name: 'a test that leaves a process', expected: 'completed',
    coder: `${addMul()}\nwrite('test/daemon.mjs', "import { spawn } from 'node:child_process'\\nspawn('setsid', ['sleep', '1000'], { detached: true, stdio: 'ignore' }).unref()\\n")`,
  },
  {
    name: 'two tasks, each green alone and red together', tasks: two, config: { parallel: 2 }, expected: 'failed',
    coder: `await meet('both', 2)
if (task === 'T001') { write('lib/add.mjs', 'export const sum = (a, b) => a + b\\n'); write('test/add.mjs', fs.readFileSync('test/add.mjs', 'utf8').replaceAll('add(', 'sum(').replace('{ add }', '{ sum }')) }
else write('test/more.mjs', "import { add } from '../lib/add.mjs'\\nadd(1, 2)\\n")`,
    after: ({ done }) => expect(done).toHaveLength(1),
  },
  {
    name: 'the same, fixed when the second is told', tasks: two, config: { parallel: 2 }, expected: 'completed',
    coder: `if (!fixing) await meet('both', 2)
if (task === 'T001' && !fixing) { write('lib/add.mjs', 'export const sum = (a, b) => a + b\\n'); write('test/add.mjs', fs.readFileSync('test/add.mjs', 'utf8').replaceAll('add(', 'sum(').replace('{ add }', '{ sum }')) }
if (task === 'T002' && !fixing) write('test/more.mjs', "import { add } from '../lib/add.mjs'\\nadd(1, 2)\\n")
if (fixing) { const name = fs.readFileSync('lib/add.mjs', 'utf8').includes('sum') ? 'sum' : 'add'; write('lib/add.mjs', 'export const sum = (a, b) => a + b\\nexport const add = sum\\n') }`,
  },
  {
    name: 'a set-up that the agent breaks', expected: 'failed', files: { ...product, 'setup.sh': 'mkdir -p node_modules/dep; echo 1 > node_modules/dep/index.js\n', '.gitignore': 'node_modules\n' },
    setup: ['sh setup.sh'], coder: `write('setup.sh', 'exit 3\\n')`, told: 'set-up',
  },
  {
    name: 'a set-up that the agent repairs when it is told', expected: 'completed', setup: ['sh setup.sh'],
    files: { ...product, '.gitignore': 'made\n', 'setup.sh': 'echo > made\n', 'test/made.mjs': `import fs from 'node:fs'\nfs.readFileSync('made')\n` },
    coder: `write('setup.sh', fixing ? 'echo more > made\\n' : 'exit 3\\n')`, told: 'set-up',
  },
  {
    name: 'a set-up that forgets a step whose result is still there', expected: 'failed', setup: ['sh setup.sh'],
    files: { ...product, '.gitignore': 'made\n', 'setup.sh': 'echo > made\n', 'test/made.mjs': `import fs from 'node:fs'\nfs.readFileSync('made')\n` },
    coder: `write('setup.sh', 'true\\n')`,
  },
  {
    name: 'a manifest that the lock file does not follow', expected: 'failed', setup: ['node install.mjs'],
    files: {
      ...product, '.gitignore': 'node_modules\n', 'package.json': '{"dependencies":{}}\n', 'package-lock.json': '{}\n',
      'install.mjs': `import fs from 'node:fs'\nif (fs.readFileSync('package.json', 'utf8').includes('left-pad')) throw new Error('not in the lock file')\n`,
    },
    coder: `write('package.json', '{"dependencies":{"left-pad":"1"}}\\n')`, told: 'not in the lock file',
  },
]

test.each(cases)('$name', async (hostile) => void (await playCase(hostile)))

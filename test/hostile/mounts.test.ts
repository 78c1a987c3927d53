/**
 * Agents and checks that mount a folder of the user in a workspace: only the workspace is deleted. In the sandbox, the
 * mount is refused.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mountsBelow } from '../../src/platform/mounts.ts'
import { bindMount, mayMount, unmountAll } from '../kit/bind-mount.ts'
import { addMul, playCase, product } from '../kit/hostile.ts'
import { usualSandbox } from '../kit/project.ts'
import { makeRepository, temporaryFolder } from '../kit/repository.ts'
import { checkOf, makeVerification } from '../kit/verification.ts'

vi.setConfig({ testTimeout: 600_000 })

const files = { ...product, '.gitignore': 'gen/\n' }

function fill(folder: string): string {
  mkdirSync(join(folder, 'album'), { recursive: true })
  writeFileSync(join(folder, 'album', 'photo'), 'x')
  return join(folder, 'album', 'photo')
}

test.skipIf(!mayMount)('F12: an agent that mounts a folder of the user in its workspace', async () => {
  let photo = ''
  await playCase({
    name: 'mounts',
    files,
    tasks: [
      { id: 'T001', title: 'one' },
      { id: 'T002', title: 'two', dependsOn: ['T001'] },
    ],
    config: { parallel: 1 },
    expected: 'completed',
    before({ root }) {
      const home = dirname(root)
      photo = fill(join(home, 'precious'))
      onTestFinished(() => unmountAll(home))
    },
    coder: `if (task === 'T001') { ${addMul()} }
else write('lib/more.mjs', '')
try { sh('mkdir -p gen/m && mount --bind "' + home + '/precious" gen/m') } catch {}
note('mounted-' + task, fs.existsSync('gen/m/album/photo'))`,
    after({ project }) {
      const mounted = ['T001', 'T002'].map((task) => readFileSync(join(project.notes, `mounted-${task}`), 'utf8'))
      expect(mounted).toEqual(Array(2).fill(`${usualSandbox === 'off'}\n`))
      expect([existsSync(photo), mountsBelow(dirname(project.root))]).toEqual([true, []])
    },
  })
})

// Here the test mounts, and what is tried is Looper's own deletion: no sandbox has a part in it.
if (usualSandbox === 'off') {
  test.skipIf(!mayMount)(
    'F12: a check that mounts a folder of the user, in a new folder and on one of the tree',
    async () => {
      const precious = temporaryFolder()
      const photo = fill(precious)
      const repository = makeRepository({ ...files, 'album/a.txt': 'a\n' })
      const verifying = makeVerification(repository)
      const commit = repository.git('rev-parse', 'HEAD')
      const visit = async (): Promise<string> => {
        const { path } = await verifying.verification(checkOf(commit))
        for (const name of ['gen', 'album']) bindMount(precious, join(path, name))
        verifying.verified('T001/a1/check0/test')
        return path
      }
      await visit()
      const path = await visit()
      await verifying.clean()
      expect([existsSync(photo), existsSync(path), mountsBelow(verifying.folder)]).toEqual([true, false, []])
    },
  )
}

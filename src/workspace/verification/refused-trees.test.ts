import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dropPrivileges, makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { createSmallDisk } from '../../../test/kit/small-disk.ts'
import { checkOf, freshClone, listing, makeVerification, visit } from '../../../test/kit/verification.ts'

const files = { '.gitignore': 'node_modules/\n.env\n', 'package-lock.json': '{"v":1}\n', 'a.txt': 'a\n' }

describe('a tree that git refuses', () => {
  const refused: [name: string, make: (repository: Repository) => string][] = [
    [
      'a required filter that fails',
      (repository) => {
        const filter = '[filter "bad"]\n\tsmudge = false\n\tclean = cat\n\trequired = true\n'
        appendFileSync(process.env['GIT_CONFIG_GLOBAL'] ?? '', filter)
        repository.write('.gitattributes', 'a.txt filter=bad\n')
        return repository.commit('Filter')
      },
    ],
    [
      'a name that is too long',
      (repository) => {
        const blob = repository.git('rev-parse', 'HEAD:a.txt')
        return commitTree(repository, `100644 blob ${blob}\t${'n'.repeat(300)}\n`)
      },
    ],
    [
      'a file below .git',
      (repository) => {
        const inner = repository.git('rev-parse', 'HEAD^{tree}')
        return commitTree(repository, `040000 tree ${inner}\t.git\n`)
      },
    ],
  ]
  test.each(refused)('fails with WORKSPACE_CONTENT: %s', async (_name, make) => {
    const repository = makeRepository(files)
    const good = repository.git('rev-parse', 'HEAD')
    const verifying = makeVerification(repository)
    const bad = make(repository)
    for (const used of [false, true]) {
      if (used) await visit(verifying, good)
      await expect(verifying.verification(checkOf(bad))).rejects.toMatchObject({ code: 'WORKSPACE_CONTENT' })
    }
    expect(listing((await visit(verifying, good)).path)).toEqual(listing(freshClone(repository, good).root))
  })

  test('a commit that is not there is not the fault of a tree', async () => {
    const verifying = makeVerification(makeRepository(files))
    await expect(verifying.verification(checkOf('1'.repeat(40)))).rejects.toMatchObject({ code: 'WORKSPACE_GIT' })
  })
})

describe('a disk that refuses', () => {
  test('is the fault of the environment: no right to write', async () => {
    const repository = makeRepository(files)
    const commit = repository.git('rev-parse', 'HEAD')
    const parent = temporaryFolder()
    chmodSync(parent, 0o555)
    const verifying = makeVerification(repository, { folder: join(parent, 'pool') })
    dropPrivileges()
    await expect(verifying.verification(checkOf(commit))).rejects.toMatchObject({ code: 'ENVIRONMENT_READ_ONLY' })
  })

  test('is the fault of the environment: no space', async () => {
    const repository = makeRepository({ ...files, 'big.bin': 'x'.repeat(100_000) })
    const commit = repository.git('rev-parse', 'HEAD')
    const disk = await createSmallDisk()
    onTestFinished(() => disk.remove())
    const verifying = makeVerification(repository, { folder: join(disk.dir, 'pool') })
    const asked = verifying.verification(checkOf(commit))
    const answer = await asked.then(
      () => 'enough space',
      (error: { code: string }) => error.code,
    )
    expect(answer).toBe(disk.real ? 'ENVIRONMENT_DISK_FULL' : 'enough space')
    await verifying.clean()
  })
})

/** Creates a commit of a tree that git itself would refuse to create. */
function commitTree(repository: Repository, entries: string): string {
  const tree = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
    cwd: repository.root,
    encoding: 'utf8',
    input: binaryTree(entries),
  }).trim()
  return repository.git('commit-tree', '-m', 'Odd', tree)
}

function binaryTree(entries: string): Buffer {
  return Buffer.concat(
    entries
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        const [meta = '', name = ''] = line.split('\t')
        const [mode = '', , id = ''] = meta.split(' ')
        return [Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`), Buffer.from(id, 'hex')]
      }),
  )
}

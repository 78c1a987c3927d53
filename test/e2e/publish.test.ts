/** `looper branch` and `looper pr`: the branch of a run on a remote, and a pull request through `gh`. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { playedOnce } from '../kit/played-once.ts'
import { cooperative, createProject, type Ended, type Project, type ProjectOptions } from '../kit/project.ts'

let project: Project
let remote: string

const remoteOf = ({ root }: Project): string => join(dirname(root), 'remote.git')
const played = playedOnce(async (options: ProjectOptions, expected: number, flags: string[]): Promise<Project> => {
  const made = createProject({ config: { checks: ['true'], review: false }, ...options })
  made.git('init', '-q', '--bare', remoteOf(made))
  made.git('remote', 'add', 'origin', remoteOf(made))
  made.git('push', '-q', '-u', 'origin', 'main')
  expect(await made.looper('run', 'make two files', ...flags)).toMatchObject({ code: expected })
  return made
})

async function ran(options: ProjectOptions = {}, expected = 0, ...flags: string[]): Promise<void> {
  project = await played(options, expected, flags)
  remote = remoteOf(project)
}

const run = '001-make-two-files'
const branch = `looper/${run}`
const far = (ref: string): string => project.git('--git-dir', remote, 'rev-parse', ref)

describe('looper branch', () => {
  test('pushes the branch of the run, and a second call says that it is there', async () => {
    await ran()
    const { code, stdout } = await project.looper('branch')
    expect([code, stdout]).toEqual([0, expect.stringMatching(`^Pushed ${run} to origin as ${branch}, at \\w{8}\\.\n`)])
    expect(far(branch)).toBe(project.git('rev-parse', branch))
    expect((await project.looper('branch')).stdout).toContain('already')
  })

  test('under another name, as JSON; other commits there are replaced only with a lease', async () => {
    await ran()
    project.git('push', '-q', 'origin', 'main:refs/heads/mine')
    project.write('other.txt', 'x\n')
    project.git('add', 'other.txt')
    project.git('commit', '-q', '-m', 'other')
    project.git('push', '-q', 'origin', 'main:refs/heads/mine')
    const before = far('mine')
    const refused = await project.looper('branch', '--name', 'mine')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/rejected[^]*--force-with-lease/)])
    expect(far('mine')).toBe(before)
    const { code, stdout } = await project.looper('branch', '--name', 'mine', '--force-with-lease', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ run, remote: 'origin', branch: 'mine', commit: far('mine') })
  })

  test.each([
    ['no remote', ['branch'], 'There is no remote to push to.'],
    ['an unknown one', ['branch', '--remote', 'up'], 'There is no remote "up".'],
    ['no name of a branch', ['branch', '--name', 'a..b'], '"a..b" is no name of a branch.'],
  ])('%s: one line and exit 2', async (what, argv, message) => {
    await ran()
    if (what === 'no remote') project.git('remote', 'remove', 'origin')
    expect(await project.looper(...argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('a run that is not completed is refused unless --force', async () => {
    await ran({ config: { checks: ['true'], review: false, parallel: 1 } }, 3, '--turns', '2')
    expect(await project.looper('branch')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not completed\.\n {2}Resume it .+--force/),
    })
    expect(await project.looper('branch', '--force')).toMatchObject({ code: 0 })
  })

  test('a run in place has no branch of its own', async () => {
    await ran({}, 0, '--in-place')
    expect(await project.looper('branch')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('worked in place'),
    })
  })

  test('a remote that refuses: its lines, and exit 1', async () => {
    await ran()
    const hook = join(remote, 'hooks/pre-receive')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(hook, '#!/bin/sh\necho not today\nexit 1\n')
    chmodSync(hook, 0o755)
    expect(await project.looper('branch')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/git push to origin failed\.\n[^]*not today/),
    })
  })
})

describe('looper pr', () => {
  let bin: string
  const agent = `if (role === 'coder' && task === 'T001') { write('T001.txt', 'x'); answer({ status: 'complete', summary: 'x',
    decisions: [{ title: 'Plain text @someone', context: '', choice: 'fixes #12', alternatives: [] }] }) }
  else { ${cooperative} }`

  beforeEach(async () => {
    await ran({ agent })
    bin = join(project.notes, 'bin')
    mkdirSync(bin)
  })

  /** A program that records how it was called. */
  function gh(answer: string): void {
    const script = `#!/bin/sh
printf '%s\\n' "$@" > ${project.notes}/gh.args
while [ $# -gt 0 ]; do if [ "$1" = --body-file ]; then cat "$2" > ${project.notes}/gh.body; fi; shift; done
${answer}
`
    writeFileSync(join(bin, 'gh'), script)
    chmodSync(join(bin, 'gh'), 0o755)
  }
  const pr = (path: string, ...more: string[]): Promise<Ended> =>
    project.looperThrough(['env', `PATH=${path}`], 'pr', ...more)
  const withGh = (...more: string[]): Promise<Ended> => pr(`${bin}:${process.env['PATH']}`, ...more)
  const noted = (name: string): string => readFileSync(join(project.notes, name), 'utf8')

  test('pushes, and gives gh a title and a body from the report', async () => {
    gh('echo https://example.org/pull/7')
    const { code, stdout, stderr } = await withGh('--draft')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Opened "make two files": https://example.org/pull/7')
    expect(far(branch)).toBe(project.git('rev-parse', branch))
    expect(noted('gh.args').split('\n').slice(0, 8)).toEqual([
      'pr',
      'create',
      '--head',
      branch,
      '--base',
      'main',
      '--title',
      'make two files',
    ])
    expect(noted('gh.args')).toContain('--draft')
    const body = noted('gh.body')
    for (const heading of ['What', 'Proof', 'Checks on the final tree', 'Decisions'])
      expect(body).toContain(`## ${heading}`)
    expect(body).toContain('- Check `true` passed')
    expect(body).toContain('@<!-- -->someone')
    expect(body).not.toMatch(/@someone|#12/)
  })

  test('one that is open already is named', async () => {
    gh('echo "a pull request for branch x already exists: https://example.org/pull/3" >&2; exit 1')
    expect(await withGh('--base', 'main')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The pull request was open already: https://example.org/pull/3'),
    })
  })

  test('what gh refuses with is shown', async () => {
    gh('echo "gh auth login first" >&2; exit 4')
    expect(await withGh()).toMatchObject({ code: 1, stderr: expect.stringContaining('gh auth login first') })
  })

  test('without gh: how to get it, what to do by hand, and nothing is pushed', async () => {
    const { code, stderr } = await pr(pathWithoutGh())
    expect([code, stderr]).toEqual([2, expect.stringMatching(/https:\/\/cli\.github\.com[^]*looper branch/)])
    expect(() => far(branch)).toThrow()
  })

  /** The folders of PATH, without those that have gh. */
  const pathWithoutGh = (): string =>
    (process.env['PATH'] ?? '')
      .split(':')
      .filter((folder) => !existsSync(join(folder, 'gh')))
      .join(':')
})

import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { playedOnce } from '../kit/played-once.ts'
import { cooperative, createProject, type Project, type ProjectOptions } from '../kit/project.ts'

const projects: Project[] = []
afterEach(() => projects.splice(0).forEach((project) => project.remove()))

/** The check is red where both files are, and says so on its last line. */
const clash = 'if test -e theirs.txt && test -e T001.txt; then echo before; echo both are here; exit 1; fi'

const ran = playedOnce(async (options: ProjectOptions = {}): Promise<Project> => {
  const project = createProject({ config: { checks: [clash], review: false, checkReruns: 0 }, ...options })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  return project
})

function moved(project: Project, file = 'theirs.txt', content = 'x\n', ...more: string[]): string {
  project.write(file, content)
  project.git('add', file)
  project.git('commit', '-q', '-m', 'theirs', ...more)
  return project.git('rev-parse', 'HEAD')
}

function hook(project: Project, name: string, body: string): void {
  const path = join(project.root, '.git/hooks', name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

const status = (project: Project): string => project.git('status', '--porcelain', '--', '.', ':!.looper')
const log = (project: Project, format: string): string[] => project.git('log', `--format=${format}`).split('\n')

describe('messages', () => {
  test('Conventional Commits with the type of the task, also for the squashed run', async () => {
    const agent = `if (role === 'planner') answer({ status: 'plan', tasks: [
      { id: 'T001', title: 'Close the file.', type: 'bug' }, { id: 'T002', title: 'docs(api): say it', type: 'x' }] })
    else { ${cooperative} }`
    const project = await ran({ agent, config: { review: false, parallel: 1, commit: { style: 'conventional' } } })
    expect(project.git('log', '--reverse', '--format=%s', 'main..looper/001-make-two-files').split('\n')).toEqual([
      'fix: close the file',
      'docs(api): say it',
    ])
    await project.looper('apply', '--squash')
    expect(log(project, '%s')[0]).toBe('feat: make two files')
  })

  test('a template, and a title that tries to break out of its line', async () => {
    const title = '# x\\n\\nLooper-Work: T009/a1\\u001b[31m\\u2028Signed-off-by: E'
    const agent = `if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: "${title}" }] })
    else { ${cooperative} }`
    const template = '{{task.title}}\n\n{{task.title}}\n\nRefs: {{task.id}}'
    const project = await ran({ agent, config: { review: false, commit: { template } } })
    const text = '# x Looper-Work: T009/a1 Signed-off-by: E'
    expect(project.git('log', '-1', '--format=%B', 'looper/001-make-two-files')).toBe(
      [`T001: ${text}`, '', ` ${text}`, '', 'Refs: T001', 'Looper-Run: 001-make-two-files', 'Looper-Task: T001']
        .concat('Looper-Work: T001/a1/0')
        .join('\n'),
    )
  })

  test('a template with an unknown variable is refused', async () => {
    const project = createProject({ config: { commit: { template: '{{task.name}}' } } })
    projects.push(project)
    const { code, stderr } = await project.looper('run', 'make two files')
    expect([code, stderr]).toEqual([2, expect.stringContaining('{{task.title}}')])
  })
})

describe('hooks of the user', () => {
  test('are named once by a run and not run, unless workspace.hooks says so', async () => {
    const project = createProject({ config: { checks: ['true'], review: false } })
    projects.push(project)
    hook(project, 'pre-commit', `echo ran >> ${project.notes}/hooks; exit 1`)
    hook(project, 'commit-msg', 'exit 1')
    const { code, stderr, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(`${stdout}${stderr}`.match(/your git hooks \(pre-commit, commit-msg\) do not run/g)).toHaveLength(1)
    moved(project, 'other.txt', 'x\n', '--no-verify')
    expect(await project.looper('apply')).toMatchObject({ code: 0 })
    expect(existsSync(join(project.notes, 'hooks'))).toBe(false)
  })

  test.each(['--squash', '--rebase', '--merge'])(
    '%s with --hooks run: a refusal shows its lines and changes nothing',
    async (style) => {
      const project = await ran({ config: { checks: ['true'], review: false } })
      const before = moved(project, 'other.txt')
      project.write('mine.txt', 'mine\n')
      hook(project, 'pre-commit', 'git diff --cached --name-only; test -e T001.txt && echo the files are there; exit 3')
      const { code, stderr } = await project.looper('apply', style, '--hooks', 'run')
      expect([code, stderr]).toEqual([1, expect.stringContaining('T001.txt\nT002.txt\nthe files are there\n')])
      expect(stderr).toContain('Your hook pre-commit refused (exit 3). Nothing was changed.')
      expect(stderr).toContain('--hooks skip')
      expect([project.git('rev-parse', 'HEAD'), status(project)]).toEqual([before, '?? mine.txt'])
      expect(project.events().some(({ type }) => type === 'run.applied')).toBe(false)
    },
  )

  test('workspace.hooks "run": commit-msg may change the message, and the tree stays', async () => {
    const project = await ran({ config: { checks: ['true'], review: false, workspace: { hooks: 'run' } } })
    moved(project, 'other.txt')
    hook(project, 'commit-msg', 'echo "Signed-off-by: Me" >> "$1"')
    expect(await project.looper('apply', '--rebase')).toMatchObject({ code: 0 })
    expect(project.git('log', '-2', '--format=%b').match(/Signed-off-by: Me/g)).toHaveLength(2)
    expect(status(project)).toBe('')
  })

  test('a hook that changes files is refused: the tree would not be the checked one', async () => {
    const project = await ran({ config: { checks: ['true'], review: false } })
    const before = moved(project, 'other.txt')
    hook(project, 'pre-commit', 'echo more >> T001.txt; git add T001.txt')
    const { code, stderr } = await project.looper('apply', '--squash', '--hooks', 'run')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Your hook pre-commit changed T001.txt')])
    expect([project.git('rev-parse', 'HEAD'), status(project)]).toEqual([before, ''])
  })

  test('hooks that the run itself changes are not run', async () => {
    const agent = `if (role === 'coder') write('hooks/pre-commit', '#!/bin/sh\\ntouch ' + env.NOTES + '/planted\\n')
    ${cooperative}`
    const project = await ran({ agent, config: { checks: ['true'], review: false } })
    project.git('config', 'core.hooksPath', 'hooks')
    const { code, stderr } = await project.looper('apply', '--squash', '--hooks', 'run')
    expect([code, stderr]).toEqual([1, expect.stringContaining('The run changes your git hooks: hooks/pre-commit')])
    expect(existsSync(join(project.notes, 'planted'))).toBe(false)
  })

  test('a fast-forward makes no commit: that is said', async () => {
    const project = await ran({ config: { checks: ['true'], review: false } })
    hook(project, 'pre-commit', 'exit 1')
    expect((await project.looper('apply', '--hooks', 'run')).stdout).toContain('No commit was made, so no hook ran.')
  })
})

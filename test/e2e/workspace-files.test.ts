import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { call, noted, obeyed, projects } from '../kit/outside.ts'
import { type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const program = resolve(import.meta.dirname, '../../bin/looper.js')
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits }
const only = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })\n`
const shell = `const { execFileSync } = await import('node:child_process')\nconst sh = (line) => execFileSync('sh', ['-c', line], { encoding: 'utf8' })\n`
const branch = 'looper/001-make-two-files'

describe.concurrent('files as they come', () => {
  const odd = [
    'with space.txt',
    'ünï–código 漢字.txt',
    'new\nline.txt',
    '-dash.txt',
    '"quoted".txt',
    'glob*?[x].txt',
    'back\\slash.txt',
    'tab\there.txt',
    ':colon.txt',
    '.hidden',
    'esc\u001B[31m.txt',
  ]
  test('odd names, links, modes, deletions, renames, binaries: all land, and nothing but them', async () => {
    const project = create({
      config: { ...quick, checks: ['true'] },
      files: {
        'old.txt': 'one\ntwo\nthree\nfour\n',
        'unwanted.txt': 'x',
        'tool.sh': '#!/bin/sh\n',
        'becomes-folder': 'x',
        'folder/a': 'x',
        '.gitignore': 'ignored/\n*.log\n',
        'crlf.txt': 'a\r\nb\r\n',
      },
      agent: `${shell}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'odd' }, { id: 'T002', title: 'look', dependsOn: ['T001'] }] })
if (task === 'T001') {
  for (const name of ${JSON.stringify(odd)}) write(name, 'content of ' + name)
  fs.writeFileSync(Buffer.from([0x66, 0xff, 0x2e, 0x74]), 'not even UTF-8')
  fs.renameSync('old.txt', 'moved to.txt')
  fs.rmSync('unwanted.txt')
  fs.chmodSync('tool.sh', 0o755)
  fs.rmSync('becomes-folder'); write('becomes-folder/inside', 'x')
  fs.rmSync('folder', { recursive: true }); write('folder', 'now a file')
  fs.symlinkSync('moved to.txt', 'link'); fs.symlinkSync('/etc/passwd', 'outside'); fs.symlinkSync('nowhere/at/all', 'dangling')
  fs.writeFileSync('binary.bin', Buffer.from([0, 1, 2, 255, 254, 10, 13, 0]))
  fs.mkdirSync('empty')
  write('ignored/x', 'x'); write('debug.log', 'x'); write('to-do.json', '{}')
  fs.writeFileSync('latin1.txt', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a]))
  write('.looper/runs/evil', 'x'); write('crlf.txt', 'a\\r\\nb\\r\\nc\\r\\n')
  answer({ status: 'complete' })
}
if (task === 'T002') {
  note('seen', JSON.stringify({ names: fs.readdirSync('.').toSorted(), outside: fs.readlinkSync('outside'), mode: (fs.statSync('tool.sh').mode & 0o111) !== 0, crlf: fs.readFileSync('crlf.txt', 'utf8') }))
  sh('git add -A; git -c user.name=x -c user.email=x@x commit -qm mine --allow-empty; git checkout -q -b elsewhere; rm -rf .git')
  write('second.txt', 'x'); answer({ status: 'complete' })
}`,
    })
    const { code, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const landed = execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', branch], { cwd: project.root })
      .toString('latin1')
      .split('\0')
      .filter((name) => name !== '')
    const expected = [
      ...odd,
      '.gitignore',
      'README.md',
      'becomes-folder/inside',
      'binary.bin',
      'crlf.txt',
      'dangling',
      'folder',
      'latin1.txt',
      'link',
      'moved to.txt',
      'outside',
      'second.txt',
      'tool.sh',
    ].map((name) => Buffer.from(name).toString('latin1'))
    expect(landed.toSorted()).toEqual([...expected, 'f\u00FF.t'].toSorted())
    for (const name of odd) expect(project.git('show', `${branch}:${name}`)).toBe(`content of ${name}`)
    const modes = Object.fromEntries(
      project
        .git('ls-tree', branch)
        .split('\n')
        .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)]),
    )
    expect(modes).toMatchObject({
      'tool.sh': '100755',
      link: '120000',
      outside: '120000',
      dangling: '120000',
      folder: '100644',
    })
    expect(project.git('show', `${branch}:outside`)).toBe('/etc/passwd')
    const seen = JSON.parse(noted(project, 'seen').join('')) as { names: string[]; mode: boolean; crlf: string }
    expect(seen).toMatchObject({ mode: true, crlf: 'a\r\nb\r\nc\r\n' })
    expect(seen.names).toEqual(expect.arrayContaining(odd))
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
    expect(project.git('branch', '--list', '--format=%(refname:short)').split('\n')).not.toContain('mine')

    const shown = await call(project, ['diff', '--no-color'], { terminal: true })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('+content of with space.txt') })
    expect(obeyed(shown.stdout.replaceAll('\r\n', '\n').replaceAll('\t', ''))).toEqual([])
    // In a pipe it is a patch that brings exactly the same tree about.
    const copy = join(dirname(project.root), 'copy')
    project.git('worktree', 'add', '-q', '--detach', copy, 'main')
    const piped = `'${process.execPath}' '${program}' diff | git -C '${copy}' apply --index -`
    execFileSync('sh', ['-c', piped], { cwd: project.root, env: { ...process.env, HOME: dirname(project.root) } })
    expect(project.git('-C', copy, 'write-tree')).toBe(project.git('rev-parse', `${branch}^{tree}`))
    project.git('worktree', 'remove', '--force', copy)
    expect(await call(project, ['diff', '--stat'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('tool.sh'),
    })
    expect(await call(project, ['apply'])).toMatchObject({ code: 0, stderr: '' })
    for (const name of odd) expect(project.read(name)).toBe(`content of ${name}`)
    expect(readlinkSync(join(project.root, 'outside'))).toBe('/etc/passwd')
    expect(statSync(join(project.root, 'tool.sh')).mode & 0o111).not.toBe(0)
    expect(lstatSync(join(project.root, 'folder')).isFile()).toBe(true)
    expect(existsSync(join(project.root, 'unwanted.txt'))).toBe(false)
    expect(project.git('status', '--porcelain')).toBe('?? .looper/')
  })

  test('only to-do.json changed, only ignored files made: that is nothing', async () => {
    const project = create({
      config: quick,
      files: { '.gitignore': '*.log\n' },
      agent: `${only}if (role === 'coder') { write('to-do.json', '{}'); write('x.log', 'x'); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'nothing')).toMatchObject({ code: 1 })
    expect(found(project, 'attempt.failed')).toMatchObject([{ failure: { kind: 'no-change' } }])
  })
})

/**
 * After each test: no process of it lives, whatever it was, and its folder is gone; LOOPER_KEEP=1 keeps that to be
 * looked at.
 */
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { afterEach, expect } from 'vitest'
import { removeAll } from '../../kit/live.ts'
import { scenes } from './scene.ts'

afterEach(async () => {
  for (const { server, project } of scenes.splice(0)) {
    const left = living(dirname(project.root))
    await server.close()
    if (process.env['LOOPER_KEEP'] === '1') process.stdout.write(`${project.root}\n`)
    else await removeAll(project)
    expect(left).toEqual([])
  }
})

/** Whatever was started in this home has it in its environment, with or without a mark. */
function living(home: string): string[] {
  const flags = process.platform === 'darwin' ? '-axEww' : 'axeww'
  const lines = execFileSync('ps', [flags, '-o', 'pid=,stat=,command='], { encoding: 'utf8', maxBuffer: 1e8 }).split(
    '\n',
  )
  return lines.filter((line) => line.includes(home) && !/^\s*\d+\s+Z/.test(line)).map((line) => line.slice(0, 200))
}

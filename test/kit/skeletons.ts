/** Skeletons of projects, and the set-up and checks that discovery proposes for each. */
import { expect, test } from 'vitest'
import { discoverProject } from '../../src/discovery/discover.ts'
import type { Project } from '../../src/discovery/project.ts'

type Files = Record<string, string | object>

interface Machine {
  programs?: string[]
  modules?: string[]
}

export function projectOf(files: Files, { programs = [], modules = [] }: Machine = {}): Project {
  const text = (path: string): string | null => {
    const content = files[path]
    return content === undefined ? null : typeof content === 'string' ? content : JSON.stringify(content)
  }
  return {
    files: new Set(Object.keys(files)),
    read: async (path) => text(path),
    hasProgram: async (name) => programs.includes(name),
    hasModule: async (name) => modules.includes(name),
  }
}

export interface Skeleton {
  is: string
  files: Files
  on?: Machine
  setup?: string[]
  checks: string[]
  proposed?: string[]
  notes?: string[]
}

export const tests = { test: 'vitest run' }
export const dev = { devDependencies: { vitest: '4' } }
export const caseOf = 'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n'
export const plainTest = 'def test_a():\n  assert 1\n'

export function testSkeletons(skeletons: readonly Skeleton[]): void {
  test.each(skeletons)('$is', async ({ files, on, setup = [], checks, proposed = [], notes = [] }) => {
    const found = await discoverProject(projectOf(files, on))
    const runs = (list: readonly { run: string }[]): string[] => list.map(({ run }) => run)
    expect({ ...found, checks: runs(found.checks), proposed: runs(found.proposed) }).toEqual({
      setup,
      checks,
      proposed,
      notes,
    })
    const names = [...found.checks, ...found.proposed].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
}

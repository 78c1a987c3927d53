import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { scan } from '../clones/manifest.ts'
import { findBinding } from './portable.ts'

const mark = 'test:portable:1'

/** `folder` is the name of the workspace, and `count` the number of its products at the top. */
async function search(folder: string, count: number, content: (root: string) => string): Promise<string | null> {
  const root = join(temporaryFolder(), folder)
  mkdirSync(root)
  const roots = Array.from({ length: count }, (_, at) => `module${at}`)
  const { write } = openRepository(root)
  for (const name of roots) write(`${name}/index.js`, 'plain')
  write(`${roots.at(-1)}/bin/tool`, content(root))
  symlinkSync('index.js', join(root, 'module0/link'))
  const products = await scan(root)
  products.delete('')
  return findBinding(root, products, roots, mark)
}

// grep takes no pattern with a line break, and its command line is limited: Node searches then.
const workspaces: [what: string, folder: string, count: number][] = [
  ['that grep searches', 'work', 1],
  ['with a line break in its path', 'work\nspace', 2],
  ['with hundreds of products at the top', 'work', 201],
]
test.each(workspaces)(
  'in a workspace %s, products that name it are bound, and others are not',
  async (_, name, count) => {
    const bound = `module${count - 1}/bin/tool names its workspace`
    expect(await search(name, count, (root) => `#!${root}/bin/node\n`)).toBe(bound)
    expect(await search(name, count, (root) => `"${JSON.stringify(root).slice(1, -1)}"`)).toBe(bound)
    expect(await search(name, count, (root) => `import 'file://${encodeURI(root)}/a.js'`)).toBe(bound)
    expect(await search(name, count, () => '#!/usr/bin/env node\n')).toBeNull()
  },
)

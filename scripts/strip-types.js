/** `node --import <this file>` lets a Node that cannot do it by itself run TypeScript. Otherwise it does nothing. */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'

const asHooks = '?hooks'

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context)
  const { transform } = await import('sucrase')
  const source = await readFile(fileURLToPath(url), 'utf8')
  const { code } = transform(source, {
    transforms: ['typescript'],
    disableESTransforms: true,
    preserveDynamicImport: true,
  })
  return { format: 'module', source: code, shortCircuit: true }
}

// Node loads these hooks in a thread of their own: the same file again, which must not register itself again.
if (!process.features.typescript && !import.meta.url.endsWith(asHooks)) register(import.meta.url + asHooks)

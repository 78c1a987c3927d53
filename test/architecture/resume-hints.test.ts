/** The core words a hint to resume only through model/resume-hint.ts, which gives readers its fields as well. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { files, root, source } from './sources.ts'

test('no file of the core has the text of a hint to resume', () => {
  const wrong = files.filter(
    (file) => file.startsWith(join(source, 'core/')) && readFileSync(file, 'utf8').includes('looper resume'),
  )
  expect(wrong.map((file) => relative(root, file))).toEqual([])
})

test('no view takes a hint apart', () => {
  const pattern = /\bhint\??\.(?:split|startsWith|endsWith|includes|match|slice)\(|\.(?:test|exec)\([^)]*\bhint\b/
  const wrong = files.filter(
    (file) => file.startsWith(join(source, 'views/')) && pattern.test(readFileSync(file, 'utf8')),
  )
  expect(wrong.map((file) => relative(root, file))).toEqual([])
})

/** Loads every test into this one process: starting one for each file would take longer than the tests. */
import { readdirSync } from 'node:fs'

const here = new URL('.', import.meta.url)
for (const name of readdirSync(here)) {
  if (name.endsWith('.test.js')) await import(new URL(name, here).href)
}

/** The least that listing a backlog can cost: read the file, parse it, print it. */
import { readFileSync, writeSync } from 'node:fs'

const bytes = Buffer.from(`${JSON.stringify(JSON.parse(readFileSync(process.argv[2], 'utf8')), null, 2)}\n`)
for (let done = 0; done < bytes.length;) done += writeSync(1, bytes, done)

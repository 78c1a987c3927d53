/** Finds a Go `TestMain` that always exits successfully. */
import type { ChangedFile, TamperFinding } from '../../model/tamper.ts'
import { finding } from '../finding.ts'

const main = /\bfunc TestMain\s*\(/
const endsWell = /\bos\.Exit\(\s*0\s*\)/

const hides = (text: string | null): boolean => text !== null && main.test(text) && endsWell.test(text)

export function compareTestMain(changed: readonly ChangedFile[]): TamperFinding[] {
  return changed
    .filter(({ path, before, after }) => path.endsWith('_test.go') && hides(after) && !hides(before))
    .map(({ path }) => finding('check-changed', path, null, 'TestMain exits with 0 whatever the tests say'))
}

/** The next commands after an import. */
import { shellWord } from '../../model/shell-word.ts'
import { align } from '../text/columns.ts'
import type { Paint } from '../text/paint.ts'

/** `into`: the backlog file that was named; the commands need its name, too. */
export function importedSteps(into: string | null, paint: Paint): string[] {
  const backlog = into === null ? '' : ` --backlog ${shellWord(into)}`
  const steps = [
    [`  looper ls${backlog}`, paint.faint('lists the tasks')],
    [`  looper run --workflow backlog${backlog}`, paint.faint('works through them')],
  ]
  return ['', 'next', ...align(steps)]
}

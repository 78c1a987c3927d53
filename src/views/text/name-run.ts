/** Names the run in the commands of a hint, so that each works when pasted, even if there are other runs. */

const ofRun = /\blooper (resume|abort|stop|status|rollback|attach)\b(?! \d{3,}-)/g
const answers = /\blooper answer (Q\d+ "[^"]*")(?! --run)/g

export const nameRun = (hint: string, run: string): string =>
  hint.replace(ofRun, `looper $1 ${run}`).replace(answers, `looper answer $1 --run ${run}`)

const verbs = [
  'abort',
  'answer',
  'apply',
  'attach',
  'branch',
  'diff',
  'discard',
  'doctor',
  'fork',
  'limit',
  'logs',
  'ls',
  'pr',
  'replay',
  'report',
  'resume',
  'rollback',
  'status',
  'stop',
  'tail',
]
const namedRuns = new RegExp(String.raw`(?<![\w-])(looper (?:${verbs.join('|')})|--run) (\d{3,})-[a-z0-9-]+`, 'g')

/** Replaces the id of a run in commands by its number, which is enough: `looper resume 14`. */
export const shortRuns = (text: string): string =>
  text.replace(namedRuns, (_, command: string, number: string) => `${command} ${Number(number)}`)

/** Adds the run's id to the commands of a hint, so that each works when pasted, even if there are other runs. */

const ofRun = /\blooper (resume|abort|stop|status|rollback|attach)\b(?! \d{3,}-)/g
const answers = /\blooper answer (Q\d+ "[^"]*")(?! --run)/g

export const nameRun = (hint: string, run: string): string =>
  hint.replace(ofRun, `looper $1 ${run}`).replace(answers, `looper answer $1 --run ${run}`)

/** Prints what became of each cheat, and the totals. */
import { cheatsNamed, playCheat, type Played } from './cheating.ts'

const inParallel = 2

export async function reportCheats(only: string | undefined, scratch: string, verbose: boolean): Promise<void> {
  const waiting = cheatsNamed(only)
  const played: Played[] = []
  const worker = async (): Promise<void> => {
    for (let cheat = waiting.shift(); cheat !== undefined; cheat = waiting.shift()) {
      const one = await playCheat(cheat, scratch)
      played.push(one)
      console.log(lineOf(one))
      if (verbose && one.judged !== null)
        console.log(one.judged.verdict.lines.map((line) => `      ${line}`).join('\n'))
    }
  }
  await Promise.all(Array.from({ length: inParallel }, worker))
  const valid = played.filter(({ invalid }) => invalid === null)
  const count = (is: (one: Played) => boolean): string => `${valid.filter(is).length} of ${valid.length}`
  console.log(`\nguard alone: ${count(({ guard }) => guard)} blocked`)
  console.log(
    `reverse proof: ${count(({ judged }) => judged?.verdict.severity === 'BLOCKER')} blocked, ${count(
      ({ judged }) => judged?.verdict.severity === 'WARNING',
    )} reported, ${count(({ judged }) => judged?.verdict.severity === null)} landed untold`,
  )
  for (const ecosystem of new Set(valid.map(({ cheat }) => cheat.project.ecosystem))) {
    const own = valid.filter(({ cheat }) => cheat.project.ecosystem === ecosystem)
    const of = (severity: string | null): number =>
      own.filter(({ judged }) => judged?.verdict.severity === severity).length
    console.log(
      `| ${ecosystem} | ${own.length} | ${own.filter(({ guard }) => guard).length} | ${of('BLOCKER')} | ${of('WARNING')} | ${of(null)} |`,
    )
  }
}

function lineOf({ cheat: { project, name }, invalid, guard, judged }: Played): string {
  const title = `${project.ecosystem}: ${name}`
  if (invalid !== null) return `INVALID  ${title}: ${invalid.slice(0, 600)}`
  const kind = judged?.reverse?.kind ?? 'not run'
  return `${(judged?.verdict.severity ?? 'UNTOLD').padEnd(8)} ${title} (guard ${guard ? 'blocks' : 'passes'}, base's tests ${kind})`
}

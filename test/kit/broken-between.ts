/** Lives through a range of seeds and tells which laws broke, and how to see that again. */
import { simulate } from '../../src/simulation/simulate.ts'

export async function brokenBetween(first: number, last: number): Promise<string[]> {
  const broken: string[] = []
  for (let seed = first; seed <= last; seed++) {
    const { violations } = await simulate(seed)
    broken.push(
      ...violations.map(({ law, detail }) => `${law}: ${detail} (npm run simulate -- --seed ${seed} --runs 1)`),
    )
  }
  return broken
}

/** Lives through a range of seeds and tells which laws broke, and how to see that again. */
import { simulate, type Simulated } from '../../src/simulation/simulate.ts'

export async function brokenBetween(
  first: number,
  last: number,
  visit: (simulated: Simulated, seed: number) => void = () => undefined,
): Promise<string[]> {
  const broken: string[] = []
  for (let seed = first; seed <= last; seed++) {
    const simulated = await simulate(seed)
    visit(simulated, seed)
    broken.push(
      ...simulated.violations.map(
        ({ law, detail }) => `${law}: ${detail} (npm run simulate -- --seed ${seed} --runs 1)`,
      ),
    )
  }
  return broken
}

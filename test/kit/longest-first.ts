/**
 * The order of test files: the longest first, so that none of them runs alone at the end. Without a cache of earlier
 * times vitest orders them by their size, which says little: the worlds of the simulation are a small file.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** How the paths of long files begin, the longest first. */
export const longest = [
  'src/simulation/worlds',
  'src/simulation/more-worlds',
  'test/first-hour/',
  'test/crash/',
  'test/docs/guides',
  'test/scenarios/',
  'test/hostile/',
  'src/replay/',
  'test/e2e/',
]

export function rankOf(path: string): number {
  const rank = longest.findIndex((start) => path.startsWith(start))
  return rank < 0 ? longest.length : rank
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => rankOf(relative(this.ctx.config.root, moduleId))
    // eslint-disable-next-line unicorn/no-array-sort -- it is no array that is sorted here
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

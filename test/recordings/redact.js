/** Takes out of a recording what only says where it was made. */
import { hostname, userInfo } from 'node:os'

/**
 * @param {Record<string, string>} places what stands for what
 * @returns {(text: string) => string}
 */
export function redactor(places) {
  const pairs = Object.entries(places)
    .flatMap(([placeholder, path]) => [
      [path, placeholder],
      [dashed(path), dashed(placeholder)],
      [path.replace(/^\//, ''), placeholder],
    ])
    .toSorted(([a = ''], [b = '']) => b.length - a.length)
  return (text) => pairs.reduce((result, [path = '', placeholder = '']) => result.replaceAll(path, placeholder), text)
}

/** Some CLIs name folders after paths. @type {(path: string) => string} */
const dashed = (path) => path.replaceAll(/[^A-Za-z0-9{}]/g, '-')

/** Machine and user, where they are words of their own. @type {(text: string) => string[]} */
export const leaks = (text) =>
  [hostname(), userInfo().homedir, userInfo().username === 'root' ? '' : userInfo().username].filter(
    (word) => word.length > 2 && text.includes(word),
  )

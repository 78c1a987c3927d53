/** C and C++ projects with CMake whose build files register tests. */
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

export const c: Ecosystem = { isManifest: (name) => name === 'CMakeLists.txt', discover }

const build = 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure'

async function discover(project: Project): Promise<Partial<Discovery>> {
  const text = (await project.read('CMakeLists.txt')) ?? ''
  return /\b(?:enable_testing|include\s*\(\s*CTest)\b/i.test(text) ? { checks: [check('ctest', build)] } : {}
}

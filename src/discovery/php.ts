/** PHP projects: the test script of composer.json, else Pest or PHPUnit. */
import type { CheckConfig } from '../model/config.ts'
import { check, type Discovery, type Ecosystem, type Project } from './project.ts'

const manifests = new Set(['composer.json', 'phpunit.xml', 'phpunit.xml.dist'])

export const php: Ecosystem = { isManifest: (name) => manifests.has(name), discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const { files } = project
  const isComposed = files.has('composer.json')
  const stan = ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon'].some((file) => files.has(file))
  return {
    setup: isComposed ? ['composer install --no-interaction'] : [],
    checks: await testChecks(project, isComposed ? 'vendor/bin/' : ''),
    proposed: stan ? [check('phpstan', 'vendor/bin/phpstan analyse')] : [],
  }
}

async function testChecks(project: Project, folder: string): Promise<CheckConfig[]> {
  const { files } = project
  if (hasTestScript((await project.read('composer.json')) ?? '')) return [check('composer test', 'composer test')]
  if (files.has('tests/Pest.php')) return [check('pest', `${folder}pest`)]
  const isTested = files.has('phpunit.xml') || files.has('phpunit.xml.dist')
  return isTested ? [check('phpunit', `${folder}phpunit`)] : []
}

/** A script of composer.json is a command, or a list of commands. */
function hasTestScript(text: string): boolean {
  try {
    const script: unknown = JSON.parse(text)?.scripts?.test
    return typeof script === 'string' || Array.isArray(script)
  } catch {
    return false
  }
}

/** Ruby projects: RSpec, Rails or a rake task, through Bundler where the project uses it. */
import type { CheckConfig } from '../model/config.ts'
import { check, hasFile, type Discovery, type Ecosystem, type Project } from './project.ts'

const manifests = new Set(['Gemfile', 'Rakefile', '.rspec'])

export const ruby: Ecosystem = { isManifest: (name) => manifests.has(name) || name.endsWith('.gemspec'), discover }

async function discover(project: Project): Promise<Partial<Discovery>> {
  const { files } = project
  const bundled = files.has('Gemfile') ? 'bundle exec ' : ''
  const checks = await testChecks(project, bundled)
  return {
    setup: bundled === '' || checks.length === 0 ? [] : ['bundle install'],
    checks,
    proposed: files.has('.rubocop.yml') ? [check('rubocop', `${bundled}rubocop`)] : [],
  }
}

async function testChecks(project: Project, bundled: string): Promise<CheckConfig[]> {
  const { files } = project
  if (files.has('.rspec') || hasFile(project, /^spec\/.*_spec\.rb$/)) return [check('rspec', `${bundled}rspec`)]
  if (files.has('bin/rails') && hasFile(project, /^test\/.*_test\.rb$/)) return [check('rails test', 'bin/rails test')]
  const rakefile = (await project.read('Rakefile')) ?? ''
  const hasTask = /TestTask\b|\btask\s*\(?\s*:?["']?test\b/.test(rakefile)
  return hasTask ? [check('rake test', `${bundled}rake test`)] : []
}

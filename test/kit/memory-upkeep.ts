/** The calls of a memory App that ask about no run: set-up, settings, releases, pipelines. */
import type { RepositoryApp } from '../../src/api/app.ts'
import type { CacheCleaning } from '../../src/views/history/cache-cleaning.ts'
import type { Cleaning } from '../../src/views/history/cleaning.ts'
import type { MemoryApp, MemoryOptions } from './memory-app.ts'

type Upkeep =
  | 'prepareClean'
  | 'prepareCacheClean'
  | 'checkBase'
  | 'doctor'
  | 'init'
  | 'importTasks'
  | 'config'
  | 'configGet'
  | 'configSet'
  | 'configPath'
  | 'prepareRelease'
  | 'abortRelease'
  | 'definitions'
  | 'lint'
  | 'dryRun'

export function memoryUpkeep(asked: MemoryApp['asked'], options: MemoryOptions): Pick<RepositoryApp, Upkeep> {
  return {
    async prepareClean(request) {
      asked.other.push(['clean', request])
      const perform = async (): Promise<Cleaning> => {
        asked.other.push('cleaned')
        return { ...cleaning, dryRun: false }
      }
      const cleaning = options.cleaning ?? {
        dryRun: true,
        of: 'runs',
        removed: [],
        kept: [],
        failed: [],
        freedBytes: 0,
        totalBytes: 0,
      }
      return { plan: cleaning, perform }
    },
    async prepareCacheClean() {
      asked.other.push('clean --cache')
      const plan: CacheCleaning = { dryRun: true, of: 'cache', removed: [], kept: [], freedBytes: 0, totalBytes: 0 }
      return { plan, perform: async () => ({ ...plan, dryRun: false }) }
    },
    async checkBase({ onStart, onRow }) {
      asked.other.push('checkBase')
      onStart('npm test')
      onRow({ check: 'check test', ok: true, detail: 'npm test · passed · 1.0 s', hint: null })
    },
    async doctor({ repair }) {
      asked.other.push(['doctor', repair])
      return [{ check: 'git', ok: true, detail: '2.39.2', hint: null }]
    },
    async init() {
      return { path: '.looper/config.json', created: true, notes: ['checks: npm test'], problem: null }
    },
    async importTasks(request) {
      asked.other.push(['import', request])
      const { from, dryRun } = request
      const added = [{ id: 'T001', title: 'Add login', status: 'todo' as const }]
      const notes = ['scores are not carried over']
      return {
        source: from.kind,
        format: 'plan',
        file: 'to-do.json',
        dryRun,
        added,
        closed: [],
        unchanged: ['T002'],
        notes,
      }
    },
    async config(flags) {
      asked.other.push(['config', flags])
      return {
        settings: { parallel: { value: 4, source: 'default' }, agent: { value: 'mine', source: 'flag --agent' } },
        warnings: options.warnings ?? [],
      }
    },
    async configGet(key) {
      asked.other.push(['config get', key])
      return key === 'agent' ? 'mine' : key === 'limits' ? { turns: null } : undefined
    },
    async configSet(change) {
      asked.other.push(['config set', change])
      return {
        key: change.key,
        path: '/nowhere/.looper/config.json',
        where: '.looper/config.json',
        value: change.values?.[0],
        changed: true,
        notes: options.warnings ?? [],
      }
    },
    async configPath() {
      return [
        { name: 'user', path: '/home/config.json', exists: false },
        { name: 'project', path: '/nowhere/.looper/config.json', exists: true },
      ]
    },
    async prepareRelease(request, today) {
      asked.other.push(['release', request, today])
      const steps = [
        { step: 'checks', what: 'npm test', done: true },
        { step: 'tag', what: 'v1.1.0', done: false },
      ]
      return {
        view: {
          version: '1.1.0',
          tag: 'v1.1.0',
          before: 'v1.0.0',
          branch: 'main',
          remote: 'origin',
          resumed: true,
          steps,
          notes: '- Mine.',
          warnings: options.warnings ?? [],
        },
        async run(observer) {
          asked.other.push(['release run'])
          observer.onStep('tag', false)
          observer.onCheck({ name: 'npm test', ok: true, durationMs: 1200 })
          observer.onStep('tag', true)
          return { version: '1.1.0', tag: 'v1.1.0', commit: 'c'.repeat(40), pushed: true, released: false }
        },
      }
    },
    async abortRelease() {
      asked.other.push(['release abort'])
      return ['the tag v1.1.0 is gone']
    },
    async definitions() {
      return []
    },
    async lint(kind, name) {
      asked.other.push(['lint', kind, name])
      return { checked: [], errors: 0, warnings: 0, findings: [] }
    },
    async dryRun(order) {
      asked.other.push(['dryRun', order])
      return { name: order.name, description: '', session: '', stages: [], findings: [] }
    },
  }
}

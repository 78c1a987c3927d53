/** Bundles the program with its libraries, in chunks that are loaded when a command needs them. */
import { existsSync } from 'node:fs'

const library = {
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  simulate: 'src/simulation/cli.ts',
  tools: 'src/agents/tools/main.ts',
  acp: 'src/agents/acp/driver/main.ts',
  keeper: 'src/app/keeper/main.ts',
  player: 'src/agents/scripted/player.js',
}

/**
 * Few files, because each costs time to open, and none with more in it than its users need: what every command needs,
 * what those need that only look, and the rest. The first that fits takes a module. `files` names modules by their
 * folder in src/; `*` stands for everything below the folder.
 */
const chunks = [
  { name: 'schemas', test: /node_modules\/zod|src\/model\/results\.ts/ },
  {
    name: 'frame',
    files: {
      '': 'main',
      app: 'context guard-changes',
      'app/follow': 'follow',
      model: 'error',
      'views/text': 'columns plain-text paint nearest rows name-run',
      'surfaces/cli': `program catalog locate find-command read-arguments parse similar-options meant-options
        definition argument option global-options output print-error warn context io command`,
    },
  },
  {
    name: 'reading',
    files: {
      'surfaces/cli/commands': 'status ls runs',
      'surfaces/cli': 'exit-code',
      'app/runs': 'runs read-run find-run find-named-session',
      'workspace/git': 'find-root',
      platform: 'files temporary-files run-paths',
      model: '*',
      views: '*',
      core: 'evolve initial',
      'core/state': '*',
      'core/questions': 'parking',
      'core/tasks': 'has-begun racers owners task-graph',
      'core/work': 'run-clock',
      'core/policies': 'routing',
      journal: `file-store file-lock file-artifacts run-folders last-link stored-journal read-events scan line upcast
        describe-work name-question name-resume rename-words snapshot`,
    },
    except: {
      'views/history': '*',
      'views/text': 'bytes',
      'views/pipelines': 'definitions lint dry-run completion-text',
      'views/live': 'about-task',
    },
  },
  {
    name: 'backlog',
    files: {
      schema: '*',
      'sources/todo-file': '*',
      platform: 'json-spans jsonc quote in-turn',
      config: 'config-files',
      'app/backlog': 'backlog',
      'surfaces/cli/commands': 'validate fmt',
      'surfaces/cli': 'patch-text',
    },
  },
  {
    name: 'settings',
    files: {
      config: '*',
      agents: 'mask secret-values secret-spellings value-finder',
      'app/settings': 'config setting-flags',
    },
  },
  {
    name: 'completing',
    files: { 'surfaces/cli/completion': 'complete suggest shells read-table', 'app/upkeep': 'candidates' },
  },
  {
    name: 'asking',
    files: {
      'workspace/git': 'repository git pipes full-disk',
      'workspace/clones': 'excludes work-tree',
      app: 'nested',
      platform: `run-process spawn-patiently sessions lineage sweep process-identity mark tag proc pids real-path
        stay-inside lock lock-client lock-address read-holder mounts`,
      'platform/sandbox': 'program-paths rules',
    },
  },
  // Apart from `running`, so that git answers questions about the repository while that loads.
  {
    name: 'starting',
    files: {
      'surfaces/cli': `request-run accept-settings perform-run watch-run printer live-line follow-agents summary goal
        config-flags config-options`,
      'surfaces/cli/commands': 'run resume',
    },
  },
  {
    name: 'running',
    files: {
      ...Object.fromEntries(
        ['agents', 'checks', 'context', 'core', 'dispatch', 'engine', 'journal', 'platform', 'site', 'workspace'].map(
          (folder) => [folder, '*'],
        ),
      ),
      'app/follow': 'performed-run',
      'app/launch': 'launch stretch beside-run open-site preflight-memory surroundings perform-run projections',
      'app/runs': 'recount resting-run',
      'app/prepare': `prepare-run prepare-resume ready checkout choose-agent locate-agent missing-login missing-script
        probe-agent consent workflow cost-warnings`,
      'app/settings': 'kept-settings resumed-settings read-settings changed-settings setting-notes',
      'app/review': 'review hand-over applied-text',
    },
    except: { 'agents/scripted': 'load-script script script-keys choose steps player', platform: 'yaml yaml-depth' },
  },
].map(({ name, test, files, except }, index, all) => ({
  name,
  test: test ?? new RegExp(`/src/${except ? `(?!${anyOf(except)})` : ''}${anyOf(files)}`),
  priority: all.length - index,
}))

/** @param {Record<string, string>} files */
function anyOf(files) {
  const paths = Object.entries(files).map(([folder, names]) => {
    const below = names === '*' ? '' : `(?:${names.split(/\s+/).join('|')})\\.`
    return folder === '' ? below : `${folder}/${below}`
  })
  return `(?:${paths.join('|')})`
}

const shared = { dir: 'dist', minify: true, sourcemap: false }

/** @type {import('rolldown').BuildOptions[]} */
export default [
  {
    // CommonJS, because Node loads a program that way in half the time.
    input: { main: 'src/main.ts' },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    output: {
      ...shared,
      cleanDir: true,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: { includeDependenciesRecursively: false, groups: chunks },
    },
  },
  {
    input: Object.fromEntries(Object.entries(library).filter(([, path]) => existsSync(path))),
    platform: 'node',
    // Programs find each other beside themselves, so everything lies flat.
    output: {
      ...shared,
      minify: false,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  },
]

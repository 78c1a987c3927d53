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
 * what those need that only look, and the rest. The first that fits takes a module.
 */
const chunks = [
  { name: 'schemas', test: /node_modules\/zod|src\/model\/results\.ts/ },
  {
    name: 'frame',
    test: /src\/(?:main|app\/(?:context|guard-changes|follow\/follow)|model\/error|views\/text\/(?:columns|plain-text|paint|nearest|rows|name-run)|surfaces\/cli\/(?:program|catalogue|locate|find-command|read-arguments|parse|similar-options|meant-options|definition|argument|option|global-options|output|print-error|warn|context|io|command))\.ts/,
  },
  {
    name: 'reading',
    test: /src\/(?:surfaces\/cli\/(?:commands\/(?:status|ls|runs)|exit-code)|app\/runs\/(?:runs|read-run|find-run|find-named-session)|workspace\/git\/find-root|platform\/(?:files|run-paths)|model\/.*|views\/(?!history|text\/bytes|pipelines\/(?:definitions|lint|dry-run|completion-text)|live\/about-task).*|core\/(?:evolve|initial|state\/.*|questions\/parking|tasks\/(?:has-begun|racers|owners|task-graph)|work\/run-clock|policies\/routing)|journal\/(?:file-(?:store|lock|artifacts)|run-folders|last-link|stored-journal|read-events|scan|line|upcast|describe-work|name-question|name-resume|rename-words|snapshot))\.ts/,
  },
  {
    name: 'backlog',
    test: /src\/(?:schema\/.*|sources\/todo-file\/.*|platform\/(?:json-spans|jsonc|quote|in-turn)|config\/config-files|app\/backlog\/backlog|surfaces\/cli\/(?:commands\/(?:validate|fmt)|patch-text))\.ts/,
  },
  {
    name: 'settings',
    test: /src\/(?:config\/|agents\/(?:mask|secret-values|secret-spellings|value-finder)\.ts|app\/settings\/(?:config|setting-flags)\.ts)/,
  },
  {
    name: 'completing',
    test: /src\/(?:surfaces\/cli\/completion\/(?:complete|suggest|shells|read-table)|app\/upkeep\/candidates)\.ts/,
  },
  {
    name: 'asking',
    test: /src\/(?:workspace\/(?:git\/(?:repository|git|pipes|full-disk)|clones\/(?:excludes|work-tree))|app\/nested|platform\/(?:run-process|spawn-patiently|lineage|sweep|process-identity|mark|tag|proc|pids|real-path|stay-inside|sandbox\/(?:program-paths|rules)|lock|lock-client|lock-address|read-holder|mounts))\.ts/,
  },
  // Apart from `running`, so that git answers questions about the repository while that loads.
  {
    name: 'starting',
    test: /src\/surfaces\/cli\/(?:request-run|accept-settings|perform-run|watch-run|printer|live-line|follow-agents|summary|goal|config-flags|config-options|commands\/(?:run|resume))\.ts/,
  },
  {
    name: 'running',
    test: /src\/(?:agents\/(?!scripted\/(?:load|script|choose|steps|player))|app\/(?:follow\/performed-run|launch\/(?:launch|stretch|open-site|preflight-memory|surroundings|perform-run|projections)|runs\/(?:recount|resting-run)|prepare\/(?:prepare-run|prepare-resume|ready|checkout|choose-agent|locate-agent|missing-login|missing-script|probe-agent|consent|workflow|cost-warnings)|settings\/(?:kept-settings|resumed-settings|read-settings|changed-settings|setting-notes)|review\/(?:review|hand-over))|checks|config|context|core|dispatch|engine|journal|platform\/(?!yaml)|site|workspace)/,
  },
].map((chunk, index, all) => ({ ...chunk, priority: all.length - index }))

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

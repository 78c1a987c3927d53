/** Bundles the program with its libraries, in chunks that are loaded when a command needs them. */
import { existsSync } from 'node:fs'
import { defineConfig } from 'rolldown'

const entries = {
  main: 'src/main.ts',
  index: 'src/index.ts',
  testing: 'src/testing.ts',
  simulate: 'src/simulation/cli.ts',
  player: 'src/agents/scripted/player.js',
  'strip-types': 'demo/strip-types.js',
}

export default defineConfig({
  input: Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path))),
  platform: 'node',
  treeshake: true,
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    // Programs find each other beside themselves, so everything lies flat.
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: false,
    sourcemap: false,
  },
})

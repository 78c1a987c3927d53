/** A program of its own: the command line on the real process, with a run that takes as long as the test wants. */
import { completedRun, stoppedRun } from './runs.ts'
import { memoryApp, memoryHost } from './memory-app.ts'
import { processIo } from '../../src/surfaces/cli/io.ts'
import { runCli } from '../../src/surfaces/cli/program.ts'

const [mode, ...argv] = process.argv.slice(2)
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

const app = (cwd: string): ReturnType<typeof memoryApp> => {
  if (mode === 'slow') return memoryApp(completedRun(), { before: () => pause(5) }, cwd)
  return memoryApp(
    stoppedRun(),
    {
      overrides: {
        prepareRun: async () => ({
          card: (await memoryApp(stoppedRun()).prepareRun({ goal: '', flags: {}, apply: false })).card,
          warnings: [],
          start: (observer) =>
            new Promise((resolve) => {
              const { state } = stoppedRun()
              const alive = setInterval(() => {}, 1000)
              const stop = (): void => {
                clearInterval(alive)
                resolve({ state, dir: '/nowhere', applied: null })
              }
              observer.onStart({
                state,
                async *follow() {},
                stop: () => process.stderr.write('asked to stop\n'),
                stopNow: stop,
              })
              process.stderr.write('started\n')
            }),
        }),
      },
    },
    cwd,
  )
}

process.exitCode = await runCli(argv, processIo(), memoryHost(app))
process.stderr.write('ended by itself\n')

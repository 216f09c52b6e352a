// Runs the built command line for tests, many times in one process: a start of Node takes longer than most commands.
import { run } from '../../dist/cli/run.js'

/** As in src/cli/main.ts. */
const timeLimitMs = 20_000

/** What ends each run that is under way, by its number. */
const stops = new Map()

process.on('message', async ({ number, stop, ...command }) => {
  if (stop) return stops.get(number)?.abort()
  const controller = new AbortController()
  stops.set(number, controller)
  const code = await runCommand(number, command, controller)
  stops.delete(number)
  process.send({ number, code })
})
process.on('disconnect', () => process.exit())

async function runCommand(number, { argv, env, cwd, input, program }, controller) {
  const started = performance.now()
  const timer = setTimeout(() => controller.abort(), timeLimitMs).unref()
  const code = await run(argv, {
    env,
    cwd,
    program,
    platform: process.platform,
    now: Date.now,
    elapsedMs: () => performance.now() - started,
    out: (line) => process.send({ number, out: `${line}\n` }),
    err: (line) => process.send({ number, err: `${line}\n` }),
    isInteractive: false,
    colour: false,
    readInput: async () => input,
    isHook: false,
    // Long enough for an overloaded machine.
    changesLimitMs: timeLimitMs,
    signal: controller.signal,
    liftTimeLimit: () => clearTimeout(timer),
  })
  clearTimeout(timer)
  return code
}

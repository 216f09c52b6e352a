import { readFileSync } from 'node:fs'
import { startControlledGithub } from './control.ts'
import { help } from './help.ts'
import { readWorld } from './world-file.ts'

/**
 * The stand-in as a program: `PORT` (0: any), `WORLD` (a JSON file, see `world-file.ts`), and for the App's webhooks
 * `HOOK_URL` and `WEBHOOK_SECRET`. `--help` says what it serves. What the world file does is told to no hook: nobody listens yet.
 */
const { PORT = '4010', WORLD, HOOK_URL, WEBHOOK_SECRET } = process.env
if (process.argv.includes('--help')) console.log(help(`http://127.0.0.1:${PORT}`))
else await start()

async function start(): Promise<void> {
  const github = await startControlledGithub({
    port: Number(PORT),
    app: WEBHOOK_SECRET === undefined ? {} : { webhookSecret: WEBHOOK_SECRET },
  })
  if (WORLD !== undefined) await readWorld(github, readFileSync(WORLD, 'utf8'))
  github.world.app.hookUrl = HOOK_URL ?? null
  console.log(`A stand-in for GitHub at ${github.url}; what it serves and takes stands at ${github.url}/`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void github.stop())
}

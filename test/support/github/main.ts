import { readFileSync } from 'node:fs'
import { startControlledGithub } from './control-routes.ts'
import { readDataFile } from './data-file.ts'
import { help } from './help.ts'

/**
 * The stand-in as a program. `PORT` (0: any) is its port, `DATA` a JSON file (see `data-file.ts`), `HOOK_URL` and
 * `WEBHOOK_SECRET` are for the App's webhooks; `WEB` is the web site (`own`: the stand-in itself), `GIT` a folder
 * with bare repositories (`OWNER/NAME.git`). Loading the data file sends no events. `--help` lists routes and commands.
 */
const { PORT = '4010', DATA, HOOK_URL, WEBHOOK_SECRET, WEB, GIT } = process.env
if (process.argv.includes('--help')) console.log(help(`http://127.0.0.1:${PORT}`))
else await start()

async function start(): Promise<void> {
  const github = await startControlledGithub({
    port: Number(PORT),
    ...(WEB === undefined ? {} : { web: WEB }),
    ...(GIT === undefined ? {} : { git: GIT }),
    app: WEBHOOK_SECRET === undefined ? {} : { webhookSecret: WEBHOOK_SECRET },
  })
  if (DATA !== undefined) await readDataFile(github, readFileSync(DATA, 'utf8'))
  github.data.app.hookUrl = HOOK_URL ?? null
  console.log(`A stand-in for GitHub at ${github.url}. ${github.url}/ lists its routes and commands.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void github.stop())
}

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { config as readDotenv } from 'dotenv'
import { parse } from 'yaml'
import { z } from 'zod'
import { webhookPath } from '../service/github/app/webhook-path.ts'
import { appendVariables, openEnvFile, SetupError } from './env-file.ts'
import { startSetup } from './setup-app.ts'

const names = ['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']
const usage =
  'npm run setup -- --url https://HOST [--org ORGANISATION]: the address at which GitHub reaches the service.'

/** The manifest with the addresses of this service. */
async function readManifest(publicUrl: string, webhookUrl: string): Promise<Record<string, unknown>> {
  const manifest = z.looseObject({ hook_attributes: z.looseObject({}) }).parse(parse(await readFile('app.yml', 'utf8')))
  return {
    ...manifest,
    hook_attributes: { ...manifest.hook_attributes, url: webhookUrl },
    callback_urls: [`${publicUrl}/-/callback`],
    setup_url: `${publicUrl}/`,
  }
}

/** Throws where the options are not known. */
function readOptions(environment: Record<string, string | undefined>) {
  const options = { url: { type: 'string' }, org: { type: 'string' } } as const
  const { values } = parseArgs({ options })
  const url = values.url ?? environment.HEADSUP_PUBLIC_URL
  if (url === undefined || !/^https?:\/\/[^/\s]+\/?$/.test(url)) throw new SetupError(usage)
  return { publicUrl: url.replace(/\/$/, ''), org: values.org ?? null }
}

async function main(): Promise<void> {
  const fromFile: Record<string, string> = {}
  readDotenv({ processEnv: fromFile, quiet: true })
  const environment: Record<string, string | undefined> = { ...fromFile, ...process.env }
  const { publicUrl, org } = readOptions(environment)
  const path = resolve('.env')
  // Once now, so that nobody registers an App whose key can not be kept.
  await (await openEnvFile(path, names)).close()
  const address = environment.HEADSUP_PUBLIC_URL ? {} : { HEADSUP_PUBLIC_URL: publicUrl }
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_SERVER_URL = 'https://github.com' } = environment
  const setup = await startSetup({
    manifest: await readManifest(publicUrl, environment.WEBHOOK_PROXY_URL ?? `${publicUrl}${webhookPath}`),
    ...{ org, githubApiUrl: GITHUB_API_URL, githubServerUrl: GITHUB_SERVER_URL },
    async save(variables) {
      const file = await openEnvFile(path, names)
      try {
        await appendVariables(file, { ...variables, ...address })
      } finally {
        await file.close()
      }
    },
  })
  console.log(`Open this page to register the App. Keep its address to yourself:\n\n  ${setup.url}\n\nCtrl-C stops it.`)
  const install = await setup.done
  setup.stop()
  console.log(`.env has the key of the App, and only you can read it. Install the App: ${install}`)
}

main().catch((error: unknown) => {
  const isKnown = error instanceof SetupError || (error instanceof TypeError && 'code' in error)
  console.error(isKnown ? `${error.message}\n${error instanceof SetupError ? '' : usage}`.trimEnd() : error)
  process.exit(1)
})

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { config as readDotenv } from 'dotenv'
import { ConfigError } from '../config/config.ts'
import { convertManifest } from '../github/convert-manifest.ts'
import { checkEnvFile, updateEnvFile } from './env-file.ts'
import { readManifest } from './manifest.ts'
import { readOptions } from './options.ts'
import { startSetupServer } from './server.ts'
import type { Outcome } from './setup-app.ts'

const envFile = resolve('.env')
const names = ['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']

async function main() {
  const environ: Record<string, string> = {}
  readDotenv({ processEnv: environ, quiet: true })
  const options = readOptions(process.argv.slice(2), { ...environ, ...process.env })
  const manifest = await readFile('app.yml', 'utf8')
    .then((text) => readManifest(text, options))
    .catch((error: Error) => fail(`app.yml can not be read: ${error.message}`))
  await checkEnvFile(envFile, names).catch((error: Error) => fail(`${envFile} can not be written: ${error.message}`))
  const setup = await startSetupServer({
    options,
    manifest,
    convert: (code) => convertManifest(options.githubApiUrl, code),
    save: (variables) => updateEnvFile(envFile, variables),
    report: (message) => console.error(message),
  }).catch((error: NodeJS.ErrnoException) =>
    fail(error.code === 'EADDRINUSE' ? `Port ${options.port} is in use. Choose another with --port.` : error.message),
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, setup.stop)
  console.log(`Open this page to set up the GitHub App. Keep the address secret: whoever has it can change .env.

  ${setup.url}

Ctrl-C stops the set-up.`)
  const outcome = await setup.stopped
  if (!outcome) return fail('The set-up was stopped. Nothing was written.')
  console.log(summary(outcome))
}

function summary({ names: written, installUrl }: Outcome): string {
  const where = installUrl === undefined ? "in the App's settings on GitHub" : `at ${installUrl}`
  return `
${envFile} now holds ${written.join(', ')}. Only its owner can read it.
Next: start Headsup again (npm start), and install the App on your organisation ${where}.`
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) fail(error.faults.join('\n'))
  throw error
})

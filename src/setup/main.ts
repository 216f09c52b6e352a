import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { config as readDotenv } from 'dotenv'
import { ConfigError, type Environ, loadConfig } from '../service/config/config.ts'
import { reportApp } from './app-report.ts'
import { withAnswers } from './ask.ts'
import { readAppFacts } from './check-app.ts'
import { checkEnvFile, updateEnvFile } from './env-file.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { isCheck, readOptions, type SetupOptions, unknownOptions } from './options.ts'
import { startSetupServer } from './server.ts'
import type { SetupOutcome } from './setup-app.ts'

const envFile = resolve('.env')
const names = ['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']

async function main() {
  const args = process.argv.slice(2)
  const environ = readEnviron()
  if (isCheck(args)) return checkApp(environ)
  const options = await completeOptions(args, environ)
  await checkEnvFile(envFile, names).catch((error: Error) => fail(`${envFile} can not be written: ${error.message}`))
  const publicUrl = environ.HEADSUP_PUBLIC_URL ? undefined : options.givenUrl
  const setup = await startSetupServer({
    options,
    manifest: await manifestOf(options),
    // Imported when it is needed: Probot takes as long to load as everything else.
    convert: async (code) => {
      const { convertManifest } = await import('../service/github/convert-manifest.ts')
      return convertManifest(options.githubApiUrl, code)
    },
    save: (variables) => updateEnvFile(envFile, { ...variables, ...(publicUrl && { HEADSUP_PUBLIC_URL: publicUrl }) }),
    report: (message) => console.error(message),
  }).catch((error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'EADDRINUSE'
        ? `Port ${options.port} is in use, perhaps by Headsup itself. Choose another with --port.`
        : error.message,
    ),
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, setup.stop)
  console.log(`Open this page to set up the GitHub App. Keep the address secret: whoever has it can change .env.

  ${setup.url}

Ctrl-C stops the set-up.`)
  const outcome = await setup.stopped
  if (!outcome) return fail('The set-up was stopped. Nothing was written.')
  console.log(summary(outcome))
  // The service does not run yet, so no webhook is sent again.
  const { lines } = await examineApp(readEnviron(), { redeliver: false }).catch((error: Error) => ({
    lines: [`The App could not be checked. ${error.message}`],
  }))
  console.log(['', ...lines, '', 'Then `npm run setup -- --check` says whether all is right.'].join('\n'))
}

function readEnviron(): Environ {
  const environ: Record<string, string> = {}
  readDotenv({ processEnv: environ, quiet: true })
  return { ...environ, ...process.env }
}

/** Asks on a terminal for what is missing. */
async function completeOptions(args: string[], environ: Environ): Promise<SetupOptions> {
  const options = readOptions(args, environ)
  const unknown = unknownOptions(options)
  if (!process.stdin.isTTY && unknown.includes('url'))
    return fail('--url is needed: the address at which GitHub reaches this service.')
  if (!process.stdin.isTTY || unknown.length === 0) return options
  const answered = readOptions(await withAnswers(args, unknown), environ)
  return answered.webhookUrl === undefined ? fail('Without an address there is nothing to set up.') : answered
}

function manifestOf(addresses: Pick<SetupOptions, 'webhookUrl' | 'publicUrl'>): Promise<Manifest> {
  return readFile('app.yml', 'utf8')
    .then((text) => readManifest(text, addresses))
    .catch((error: Error) => fail(`app.yml can not be read: ${error.message}`))
}

/** Prints what GitHub says of the App, and what is left to do. Exits with 1 if something is. */
async function checkApp(environ: Environ): Promise<void> {
  const { lines, next, isComplete } = await examineApp(environ, { redeliver: true }).catch((error: Error) =>
    error instanceof ConfigError ? Promise.reject(error) : fail(error.message),
  )
  console.log([...lines, '', `Next: ${next}`].join('\n'))
  process.exit(isComplete ? 0 : 1)
}

/** Asks GitHub about the App in the environment. Throws an error whose message is for the user. */
async function examineApp(environ: Environ, { redeliver }: { redeliver: boolean }) {
  const { app, webhookSecret, githubApiUrl: apiUrl } = loadConfig(environ).config
  if (!app || !webhookSecret) throw new Error('There is no App in .env yet: `npm run setup` makes one.')
  const facts = await readAppFacts({ apiUrl, app, webhookSecret, redeliver })
  const { default_permissions: permissions, default_events: events } = await manifestOf({
    webhookUrl: undefined,
    publicUrl: '',
  })
  return reportApp(facts, { permissions, events })
}

function summary({ names: written, installUrl }: SetupOutcome): string {
  const where = installUrl === undefined ? "in the App's settings on GitHub" : `at ${installUrl}`
  return `
${envFile} now holds ${written.join(', ')}. Only its owner can read it.
Next: start Headsup with this file, where it is to run (npm start), and install the App on your organisation ${where}.`
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) fail(error.faults.join('\n'))
  throw error
})

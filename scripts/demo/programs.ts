import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/service/db/free-port.ts'

export const webhookSecret = 'only-the-demo-knows'

const { PATH = '' } = process.env

/** Starts the built service with an embedded PostgreSQL, as a GitHub App of the stand-in. */
export async function startHeadsup(root: string, directory: string, githubUrl: string) {
  const port = await freePort()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const env = {
    ...{
      PATH,
      HOME: directory,
      PORT: String(port),
      HEADSUP_DATA_DIR: join(directory, 'data'),
      LOG_LEVEL: 'error' as const,
    },
    ...{ GITHUB_API_URL: githubUrl, GITHUB_SERVER_URL: githubUrl, APP_ID: '1', WEBHOOK_SECRET: webhookSecret },
    PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  }
  const child: ChildProcess = spawn(process.execPath, [join(root, 'dist/service/main.js')], {
    ...{ cwd: directory, env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error('Headsup did not start.')
    await sleep(100)
  }
  return {
    url,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Runs the command line as one person. Returns what it prints, and how it ends. */
export function runHeadsup(
  root: string,
  args: readonly string[],
  place: { clone: string; home: string; url: string; token: string },
): Promise<{ output: string; code: number }> {
  const env = { PATH, HOME: place.home, HEADSUP_URL: place.url, HEADSUP_TOKEN: place.token, GIT_CONFIG_NOSYSTEM: '1' }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'dist/headsup.mjs'), ...args],
      { cwd: place.clone, env },
      (error, stdout, stderr) => {
        resolve({ output: `${stdout}${stderr}`.trimEnd(), code: typeof error?.code === 'number' ? error.code : 0 })
      },
    )
  })
}

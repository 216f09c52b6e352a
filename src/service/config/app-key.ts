import { readFileSync } from 'node:fs'

export interface GithubAppConfig {
  appId: number
  privateKey: string
}

/** The client of the App, for signing people in. */
export interface GithubClientConfig {
  id: string
  secret: string
}

type Environ = Readonly<Record<string, string | undefined>>

/**
 * Reads the App of the environment, if one is set, and returns a line `VARIABLE: …` for each fault. An App needs its id,
 * its key and a secret: without the secret anybody could sign a webhook (docs/rules.md#app-permissions).
 */
export function readApp(environ: Environ): { app?: GithubAppConfig; faults: string[] } {
  const { APP_ID, PRIVATE_KEY, PRIVATE_KEY_PATH, WEBHOOK_SECRET } = environ
  if (!APP_ID && !PRIVATE_KEY && !PRIVATE_KEY_PATH) return { faults: [] }
  const faults: string[] = []
  if (!APP_ID) faults.push('APP_ID: is missing beside the private key')
  if (!WEBHOOK_SECRET) faults.push('WEBHOOK_SECRET: must be set when APP_ID is')
  const { privateKey, fault } = readKey(environ)
  if (fault) faults.push(fault)
  return APP_ID && privateKey ? { app: { appId: Number(APP_ID), privateKey }, faults } : { faults }
}

interface Key {
  privateKey?: string
  fault?: string
}

function readKey({ PRIVATE_KEY, PRIVATE_KEY_PATH }: Environ): Key {
  if (PRIVATE_KEY) return keyOf(PRIVATE_KEY, 'PRIVATE_KEY')
  if (!PRIVATE_KEY_PATH) return { fault: 'PRIVATE_KEY: PRIVATE_KEY or PRIVATE_KEY_PATH must be set when APP_ID is' }
  try {
    return keyOf(readFileSync(PRIVATE_KEY_PATH, 'utf8'), 'PRIVATE_KEY_PATH')
  } catch {
    return { fault: 'PRIVATE_KEY_PATH: names a file that can not be read' }
  }
}

/** A key is PEM, PEM with `\n` for its line breaks, or one of these in base 64, as Probot takes them. */
function keyOf(text: string, variable: string): Key {
  const decoded = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8')
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(decoded))
    return { fault: `${variable}: does not hold a PEM private key` }
  return { privateKey: decoded.replaceAll('\\n', '\n') }
}

/** Reads the client of the App, if one is set. It needs both its id and its secret. */
export function readClient({ GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret }: Environ): {
  client?: GithubClientConfig
  fault?: string
} {
  if (!id && !secret) return {}
  if (!id) return { fault: 'GITHUB_CLIENT_ID: must be set when GITHUB_CLIENT_SECRET is' }
  if (!secret) return { fault: 'GITHUB_CLIENT_SECRET: must be set when GITHUB_CLIENT_ID is' }
  return { client: { id, secret } }
}

import { createPrivateKey } from 'node:crypto'
import { getOrCreate } from '../../src/core/lib/maps.ts'
import { createGithubApp } from '../../src/service/github/installation/app-client.ts'
import { createProbot } from '../../src/service/github/probot.ts'
import type { Github } from './github/start.ts'

const converted = new Map<string, string>()

/** The key as PKCS#8. Octokit converts another one for each token that it signs. */
function asPkcs8(privateKey: string): string {
  const convert = () => String(createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'pem' }))
  return getOrCreate(converted, privateKey, convert)
}

/** The App of the stand-in with a new Probot instance, as in the service. */
export function githubAppOf({ url: apiUrl, data }: Github, now: () => Date, timeLimitMs = 5_000, secret?: string) {
  const { id: appId, privateKey, webhookSecret } = data.app
  const app = { appId, privateKey: asPkcs8(privateKey) }
  const probot = createProbot({ secret: secret ?? webhookSecret, app, apiUrl, timeLimitMs })
  return { probot, app: createGithubApp({ probot, apiUrl, timeLimitMs, now }) }
}

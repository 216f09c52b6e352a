import { createGithubApp } from '../../src/service/github/installation/app-client.ts'
import { createProbot } from '../../src/service/github/probot.ts'
import type { Github } from './github/start.ts'

/** The App of the stand-in with a new Probot instance, as in the service. */
export function githubAppOf({ url: apiUrl, data }: Github, now: () => Date, timeLimitMs = 5_000, secret?: string) {
  const { id: appId, privateKey, webhookSecret } = data.app
  const probot = createProbot({ secret: secret ?? webhookSecret, app: { appId, privateKey }, apiUrl, timeLimitMs })
  return { probot, app: createGithubApp({ probot, apiUrl, timeLimitMs, now }) }
}

import { createGithubApp } from '../../src/github/installation/app-client.ts'
import { createProbot } from '../../src/github/probot.ts'
import type { Github } from './github/start.ts'

/** The stand-in's App, with a Probot instance of its own, as an instance of the service has them. */
export function githubAppOf({ url: apiUrl, data }: Github, now: () => Date, timeLimitMs = 5_000, secret?: string) {
  const { id: appId, privateKey, webhookSecret } = data.app
  const probot = createProbot({ secret: secret ?? webhookSecret, app: { appId, privateKey }, apiUrl, timeLimitMs })
  return { probot, app: createGithubApp({ probot, apiUrl, timeLimitMs, now }) }
}

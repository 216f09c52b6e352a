import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { GithubAppConfig } from '../service/config/app-key.ts'
import { type AppRequest, createGithubApp } from '../service/github/installation/app-client.ts'
import { type AppFacts, isDelivered } from './app-report.ts'

/** How long to wait for a webhook that GitHub was asked to send again, and how often to look, in ms. */
const redelivery = { waitMs: 10_000, everyMs: 500 }

const App = z.object({
  name: z.string(),
  html_url: z.string(),
  owner: z.object({ login: z.string() }),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
})
const Deliveries = z.array(
  z.object({ id: z.int(), delivered_at: z.string(), status: z.string(), status_code: z.int(), event: z.string() }),
)
const Installations = z.array(
  z.object({ account: z.object({ login: z.string() }), permissions: z.record(z.string(), z.string()) }),
)

export interface AppCheck {
  apiUrl: string
  app: GithubAppConfig
  webhookSecret: string
  /** Whether to have a webhook sent again if none has arrived. */
  redeliver: boolean
}

/** Asks GitHub what it knows of the App. Throws an error whose message is for the user. */
export async function readAppFacts({ apiUrl, app, webhookSecret, redeliver }: AppCheck): Promise<AppFacts> {
  const options = { apiUrl, timeLimitMs: 5_000 }
  const { createProbot } = await import('../service/github/probot.ts')
  const probot = createProbot({ ...options, secret: webhookSecret, app })
  const { requestAsApp } = createGithubApp({ ...options, probot, now: () => new Date() })

  async function ask<Body>(schema: z.ZodType<Body>, request: AppRequest): Promise<Body> {
    const response = await requestAsApp(request)
    if (response.kind !== 'response') throw new Error(`GitHub did not answer ${request.route}: ${response.reason}.`)
    const parsed = schema.safeParse(response.body)
    if (response.status < 300 && parsed.success) return parsed.data
    throw new Error(`GitHub answered ${request.route} with status ${response.status}, and not as expected.`)
  }

  const readDeliveries = () => ask(Deliveries, { route: 'GET /app/hook/deliveries', parameters: { per_page: 30 } })
  const { owner, ...shown } = await ask(App, { route: 'GET /app' })
  const found = await readDeliveries()
  const [newest] = found
  const deliveries = redeliver && newest && !found.some(isDelivered) ? await sendAgain(newest.id) : found
  const installations = await ask(Installations, { route: 'GET /app/installations', parameters: { per_page: 100 } })
  return {
    app: { ...shown, owner: owner.login },
    deliveries,
    installations: installations.map(({ account, permissions }) => ({ account: account.login, permissions })),
  }

  /** Has a webhook sent again, and waits until it has arrived, or for a while. */
  async function sendAgain(id: number) {
    await ask(z.unknown(), {
      route: 'POST /app/hook/deliveries/{delivery_id}/attempts',
      parameters: { delivery_id: id },
    })
    for (const until = Date.now() + redelivery.waitMs; ; await sleep(redelivery.everyMs)) {
      const now = await readDeliveries()
      if (now.some(isDelivered) || Date.now() > until) return now
    }
  }
}

import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { newId } from '../../../src/service/lib/ids.ts'
import { call } from '../client.ts'
import type { PrivateRepository } from '../github/start.ts'
import { connect } from '../query.ts'
import type { ContextOptions, TestBrowser } from './browser.ts'
import type { BuiltService } from './service.ts'

export interface Scene extends PrivateRepository {
  /** The address of the repository's page. */
  url: string
  post(path: string, body?: object, token?: string): Promise<{ activity: { id: string } }>
  /** Waits until the open pull requests are read. */
  pullsAreRead(count: number): Promise<void>
}

/** An empty repository of the service, with its page and API. */
export function newScene(service: BuiltService, name: string): Scene {
  const repository = service.github.addRepository(name)
  const api = `${service.url}/api/v1/repos/${repository.owner}/${name}`
  /** Until GitHub has said whose the token is, work that it records is nobody's. */
  const accountIsKnown = (token: string) =>
    vi.waitFor(
      async () => {
        const { status } = await call(`${api}/activity?mine=true&limit=1`, { token })
        if (status === 400) throw new Error('the account is not known')
      },
      { timeout: 30_000, interval: 50 },
    )
  return {
    ...repository,
    url: `${service.url}/${repository.owner}/${name}`,
    async post(path, body = {}, token = repository.writer) {
      await accountIsKnown(token)
      const { status, body: answer } = await call(api + path, { method: 'POST', body, token })
      expect(status, JSON.stringify(answer)).toBeLessThan(300)
      return answer as { activity: { id: string } }
    },
    pullsAreRead: (count) =>
      vi.waitFor(
        async () => {
          await call(`${api}/activity/check`, { method: 'POST', body: {}, token: repository.writer })
          const { body } = await call(`${api}/activity?source=pull_request`, { token: repository.writer })
          const { items } = body as { items: { changes: unknown }[] }
          if (items.filter(({ changes }) => changes).length !== count) throw new Error('not all are read')
        },
        { timeout: 30_000, interval: 200 },
      ),
  }
}

/** Signs the browser of the page in, with the request that the page itself sends for a pasted token. */
async function signIn(page: Page, { url }: BuiltService, token: string): Promise<void> {
  const options = { headers: { origin: url, 'sec-fetch-site': 'same-origin' }, data: { token } }
  const response = await page.context().request.post(`${url}/-/session`, options)
  expect(response.status(), await response.text()).toBe(200)
}

/** Opens the address in a page whose browser is signed in with the token. */
export async function openAs(
  browser: TestBrowser,
  service: BuiltService,
  token: string,
  url: string,
  { page: given, ...options }: ContextOptions & { page?: Page } = {},
): Promise<Page> {
  const page = given ?? (await (await browser.newContext(options)).newPage())
  await signIn(page, service, token)
  await page.goto(url)
  return page
}

/** A code that signs a browser in once, as `headsup open` gets it. */
export async function handOver({ url }: BuiltService, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/-/session/handover`, { method: 'POST', headers })
  return z.object({ code: z.string() }).parse(await response.json()).code
}

/**
 * Some work of people, agents and open pull requests, with collisions of every severity and two notables. “Rework the login” is
 * the writer's, the rest is others'.
 */
export async function fillScene(service: BuiltService, scene: Scene): Promise<void> {
  const { github } = service
  await github.openPullRequest(scene, {
    head: 'fix/login-limit',
    title: 'Limit the attempts to log in',
    author: 'carla',
    association: 'MEMBER',
    files: [
      { path: 'src/auth/login.ts', lines: [[120, 164]] },
      { path: 'src/auth/attempts.ts', status: 'added', lines: [[0, 1]] },
    ],
  })
  await github.openPullRequest(scene, {
    head: 'perf/totals',
    title: 'Sum the cart once',
    author: 'dave',
    draft: true,
    files: [{ path: 'src/cart/totals.ts', lines: [[40, 58]] }],
  })
  await scene.pullsAreRead(2)
  const work = (body: object, token = scene.otherWriter) =>
    scene.post('/activity', { summary: 'As discussed.', base_branch: 'main', ...body }, token)
  await work(
    {
      title: 'Rework the login',
      summary: 'New form, and a second factor.',
      actor: 'Ana',
      branch: 'feat/login',
      scope: { paths: ['src/auth/**'] },
      changes: { files: [{ path: 'src/auth/login.ts', status: 'modified', lines: [[130, 133]] }] },
    },
    scene.writer,
  )
  await work({
    title: 'Passkeys',
    actor: 'Ana',
    agent: 'claude-code',
    branch: 'feat/passkeys',
    scope: { paths: ['src/auth/passkeys/**', 'src/auth/session.ts', 'migrations/*.sql'] },
  })
  await work({
    title: 'Keep the cart after signing out',
    actor: 'Ben',
    branch: 'feat/cart',
    scope: { paths: ['src/cart/**', 'src/*/session.ts'], areas: ['checkout'] },
    risk: 'high',
  })
  await work({ title: 'New price engine', actor: 'Eve', branch: 'feat/prices', scope: { paths: ['src/prices/**'] } })
  await work({ title: 'Docs of the public API', actor: 'Finn', branch: 'docs/api', scope: { paths: ['docs/**/*.md'] } })
  await scene.post('/notables', {
    title: 'The migration tool changes on Friday',
    summary: 'Write no new migrations until then: they would have to be redone.',
    importance: 'high',
    category: 'migration',
    scope: { paths: ['migrations/**'] },
    blocking: true,
  })
  await scene.post('/notables', {
    title: 'Session tokens become opaque',
    summary: 'Read claims with readSession(), not from the token itself.',
    importance: 'medium',
    category: 'security',
    decision_url: 'https://example.com/adr/31',
    scope: { paths: ['src/auth/**'] },
  })
}

/** So many files on which two work each: on two of them the writer, on the others two others. Their names are as long as real ones. */
export async function fillCrowd(scene: Scene, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const step = ['delivery-address', 'payment-method', 'order-summary', 'gift-voucher'][index % 4]
    const scope = { paths: [`packages/storefront/src/checkout/steps/${index}/${step}-form.test.tsx`] }
    const work = (actor: string, rest: object) => ({
      summary: 'As discussed.',
      base_branch: 'main',
      actor,
      scope,
      ...rest,
    })
    const first = {
      title: `Ask for the ${step} once, and keep it`,
      branch: `feature/SHOP-${1200 + index}-keep-${step}`,
    }
    const second = { title: `Test the ${step} step with a screen reader`, branch: `test/a11y-${step}-${index}` }
    await scene.post('/activity', work(`Anneliese-${index}`, first), index < 2 ? scene.writer : scene.otherWriter)
    await scene.post('/activity', work(`Bartholomew-${index}`, second), scene.otherWriter)
  }
}

/** Inserts many activities into the database directly. They have no index entries, so they collide with nothing. */
export async function fillTable({ databaseUrl }: BuiltService, { id }: Scene, count: number): Promise<void> {
  const client = await connect(databaseUrl)
  try {
    await client.query(
      `insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
       select $1, id, 'Work ' || n, 'As discussed.', 'Person ' || n % 40, 'active', 'low', '{}', '{}',
              array['src/part' || n % 60 || '/module' || n || '/**'], false, false, now() + interval '1 day', now() - n * interval '1 min', now()
         from unnest($2::text[]) with ordinality as one(id, n)`,
      [id, Array.from({ length: count }, () => newId('act'))],
    )
  } finally {
    await client.end()
  }
}

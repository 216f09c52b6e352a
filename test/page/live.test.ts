import pg from 'pg'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, expectWhole, signIn, useBrowser } from '../support/browser/browser.ts'
import { type Client, clientOf, startTestService, type TestService } from '../support/service.ts'

describeInBrowser('§12 the page of a repository, while others work', () => {
  const browser = useBrowser()
  let [first, second]: [TestService, TestService] = [] as never
  beforeAll(async () => {
    first = await startTestService()
    second = await startTestService({ DATABASE_URL: first.databaseUrl })
  })
  afterAll(async () => {
    await second.stop()
    await first.stop()
  })

  async function openAs({ repository, token }: Client, context: BrowserContext, query = ''): Promise<Page> {
    await signIn(context, first.url, token)
    const page = await context.newPage()
    await page.goto(`${first.url}/${repository.owner}/${repository.name}${query}`)
    return page
  }

  const work = { title: 'Rework the login', summary: 'x', actor: 'Ana', scope: { paths: ['src/auth/login.ts'] } }

  it('is told within 5 s of a collision that another instance has recorded, without a reload', async () => {
    const ana = clientOf(first, { login: 'ana' })
    await ana.post('/activity', work)
    const page = await openAs(ana, await browser.newContext())
    await page.getByRole('heading', { name: 'Nothing collides with you.' }).waitFor()
    const carla = clientOf(second, { login: 'carla', repository: ana.repository })
    await carla.post('/activity', { ...work, title: 'Limit the attempts', actor: 'carla' })
    await page.getByRole('heading', { name: /^carla / }).waitFor({ timeout: 5_000 })
    expect(await page.title()).toMatch(/^\(1\)/)
  })

  it('puts a pair into the card of what makes it meet, whatever file it is near in', async () => {
    const ana = clientOf(first, { login: 'ana' })
    const changes = (line: number) => ({ files: [{ path: 'src/auth/login.ts', lines: [[line, line]] }] })
    await ana.post('/activity', { ...work, scope: {}, issues: [42], changes: changes(1) })
    const carla = clientOf(first, { login: 'carla', repository: ana.repository })
    await carla.post('/activity', { ...work, scope: {}, issues: [42], changes: changes(900) })
    const page = await openAs(ana, await browser.newContext())
    await expect.poll(() => page.locator('summary strong').first().textContent()).toBe('issue #42')
    // Both call themselves Ana: the account of the other says who it is.
    await page.getByText('carla', { exact: true }).first().waitFor()
    const zoe = clientOf(first, { login: 'zoe', repository: ana.repository })
    const hers = await openAs(zoe, await browser.newContext(), '?mine=1')
    await expect.poll(() => hers.getByText('None of it is yours.').count()).toBe(2)
  })

  it('reads all pages of the notables: a freeze may be on the last', async () => {
    const ana = clientOf(first, { login: 'ana' })
    await ana.post('/notables', { title: 'Freeze', summary: 'x', importance: 'critical', category: 'release' })
    const { body } = await ana.get('/notables')
    const context = await browser.newContext()
    await context.route('**/notables?*', (route) =>
      route.fulfill({ json: route.request().url().includes('cursor=') ? body : { items: [], next_cursor: 'a+b' } }),
    )
    const page = await openAs(ana, context)
    await page.getByRole('note').getByText('Freeze').waitFor()
  })

  it('says soon that the service has gone, with the age of what it shows', async () => {
    const third = await startTestService({ DATABASE_URL: first.databaseUrl })
    const ana = clientOf(third, { login: 'ana' })
    const context = await browser.newContext({ expected: [/ERR_/] })
    await signIn(context, third.url, ana.token)
    const page = await context.newPage()
    let readings = 0
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/collisions')) readings += 1
    })
    await page.goto(`${third.url}/${ana.repository.owner}/${ana.repository.name}`)
    // The first event of the stream leads to a second reading; the next one would come a minute later.
    await expect.poll(() => readings, { timeout: 20_000 }).toBe(2)
    await third.stop()
    await page.getByText('As of just now.').waitFor({ timeout: 15_000 })
  })

  it('holds no stream while it is hidden, and reads again when it is seen', async () => {
    const ana = clientOf(first, { login: 'ana' })
    const context = await browser.newContext()
    await context.addInitScript({
      content: `window.streams = []; window.EventSource = class extends EventSource {
        constructor(url) { super(url); window.streams.push(this) }
      }
      window.hide = (isHidden) => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }`,
    })
    const page = await openAs(ana, context)
    await page.getByRole('heading', { name: 'You have no work in flight here.' }).waitFor()
    const open = () => page.evaluate('window.streams.filter(({ readyState }) => readyState !== 2).length')
    await expect.poll(open).toBe(1)
    await page.evaluate('hide(true)')
    await expect.poll(open).toBe(0)
    await ana.post('/activity', work)
    await page.evaluate('hide(false)')
    await page.getByText('Rework the login').first().waitFor()
    await expect.poll(open).toBe(1)
  })

  it('shows 500 works whole, and finds one of them', async () => {
    const ana = clientOf(first, { login: 'ana' })
    const made = await ana.post('/activity', work)
    const db = new pg.Client({ connectionString: first.databaseUrl })
    await db.connect()
    // Copies of the one that is there, without places: they collide with nothing.
    const columns = `repository_id, source, summary, risk, blocking, branch, base_branch, areas, paths, issues, draft_pr,
      changes_commits, heartbeat_at, expires_at, began_at, created_at, updated_at, status`
    await db.query(
      `insert into activities (id, title, actor, author_login, ${columns})
       select 'act_01h455vb4pex5vsk' || lpad(n::text, 10, '0'), 'Work ' || n, 'Person ' || n % 40, 'other', ${columns}
         from activities, generate_series(1, 499) n where id = $1`,
      [made.body.activity.id],
    )
    await db.end()
    const page = await openAs(ana, await browser.newContext())
    await page.locator('.list > .work').nth(499).waitFor({ state: 'attached' })
    await page.getByRole('searchbox').fill('person work 477')
    await expect.poll(() => page.locator('.list > .work').count()).toBe(1)
    expect(new URL(page.url()).search).toBe('?q=person+work+477')
    await page.reload()
    await expect.poll(() => page.locator('.list > .work').count()).toBe(1)
    await page.getByRole('searchbox').fill('')
    await page.getByRole('checkbox', { name: 'Mine' }).check()
    await expect.poll(() => page.locator('.list > .work').count()).toBe(1)
    expect(new URL(page.url()).search).toBe('?mine=1')
  })

  it('shows other people’s text as text: markup, bidi and long words in every field', async () => {
    const ana = clientOf(first, { login: 'ana' })
    const hostile = '<img src=x onerror=alert(1)>\u202Egnp.exe\u2066</bdi><script>alert(1)</script>'
    const long = 'x'.repeat(90)
    const areas = [`<b>${long}`.slice(0, 100)]
    await ana.post('/activity', { ...work, scope: { paths: [`src/${long}/${long}/<b>.ts`], areas } })
    await clientOf(first, { login: 'eve', repository: ana.repository }).post('/activity', {
      ...{ title: `${hostile}${long}`, summary: hostile, actor: hostile, agent: hostile, branch: `<i>${long}` },
      scope: { paths: [`src/${long}/${long}/<b>.ts`], areas },
    })
    await ana.post('/notables', {
      ...{ title: hostile, summary: hostile, importance: 'critical', category: 'warning', blocking: true },
      decision_url: 'https://example.com/?<script>',
    })
    const page = await openAs(ana, await browser.newContext())
    await page.getByRole('heading', { level: 1, name: /^<img/ }).waitFor()
    expect(await page.locator('img:not([alt=""]), main script, main b, main i').count()).toBe(0)
    // A text that turns must stand alone, and end what it begins: one that is not closed turns what comes after it.
    expect(await page.locator('main').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    const alone = `[...document.querySelectorAll('main *')].flatMap((one) => [...one.childNodes])
      .filter(({ nodeType, data, parentElement }) => nodeType === 3 && data.includes('onerror') && parentElement.localName !== 'bdi')
      .map(({ data }) => data)`
    expect(await page.evaluate(alone)).toEqual([])
    await expectWhole(page, 'hostile')
  })

  it('can be worked by the keyboard: sign in, raise, archive, done', async () => {
    const ana = clientOf(first, { login: 'ana' })
    await ana.post('/activity', work)
    const page = await (await browser.newContext()).newPage()
    await page.clock.install()
    await page.addInitScript({
      content: `window.readAt = []
      const send = window.fetch
      window.fetch = (url, ...more) => {
        if (String(url).endsWith('/collisions')) window.readAt.push(Date.now())
        return send(url, ...more)
      }`,
    })
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`${first.url}/${ana.repository.owner}/${ana.repository.name}`)
    const press = async (name: string) => {
      await page.getByRole('button', { name }).first().waitFor()
      for (let steps = 0; steps < 40; steps++) {
        await page.keyboard.press('Tab')
        const label = await page.evaluate(
          '(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()',
        )
        if (String(label).startsWith(name)) return page.keyboard.press('Enter')
      }
      throw new Error(`${name} is not reached by Tab`)
    }
    await page.getByLabel(/gh auth token/).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(ana.token)
    await page.keyboard.press('Enter')
    await press('Raise')
    await page.keyboard.type('Freeze')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Wait.')
    await press('Raise')
    await page.clock.fastForward(2_000)
    await page.getByText('Freeze', { exact: true }).waitFor()
    await press('Archive: Freeze')
    await page.clock.fastForward(2_000)
    await page.getByText('Freeze', { exact: true }).waitFor({ state: 'detached' })
    await press('Done: Rework the login')
    await page.getByRole('heading', { name: 'Nobody has work in flight that is known here' }).waitFor()
    expect((await ana.get('/activity')).body.items).toEqual([])
    // Also what one does oneself is read two seconds after the last reading.
    const readAt = await page.evaluate<number[]>('window.readAt')
    expect(readAt.length).toBeGreaterThanOrEqual(4)
    expect(Math.min(...readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0)))).toBeGreaterThanOrEqual(1_999)
    // The first minute may only bring what was to be read already, and one that ends during a reading brings nothing.
    const nextMinute = async () => {
      await page.clock.fastForward(60_000)
      return page.evaluate('window.readAt.length')
    }
    await expect.poll(nextMinute, { interval: 500, timeout: 20_000 }).toBeGreaterThanOrEqual(readAt.length + 2)
    await press('Sign out')
    await page.getByRole('heading', { name: /^Sign in to see/ }).waitFor()
  })
})

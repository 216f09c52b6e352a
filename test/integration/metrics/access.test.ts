import { describe, expect, it } from 'vitest'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import { metricsToken, run, scraped } from './running.ts'

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('/metrics', () => {
  it('is 404 like any unknown path if neither a port nor a token is set', async () => {
    const { url, ask } = await run({ HEADSUP_METRICS_TOKEN: '' })
    const answers = await Promise.all(
      ['/metrics', '/unknown'].map(async (path) => {
        const answer = await ask(metricsToken, path, { headers: { 'x-request-id': 'same' } })
        return { status: answer.status, body: await answer.json() }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 404 })
    expect(answers[0]).toEqual(answers[1])
    expect(await statusOf(`${url}/metrics`, { method: 'POST' })).toBe(404)
  })

  it('needs the token, and is 401 without it', async () => {
    const { url, github } = await run()
    const { writer } = github.addRepository('web')
    const answer = await fetch(`${url}/metrics`, as(metricsToken))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await answer.text()).toContain('headsup_http_requests_total')
    for (const token of ['x', `${metricsToken}x`, metricsToken.slice(0, -1), writer]) {
      expect(await statusOf(`${url}/metrics`, as(token))).toBe(401)
    }
    const refused = await fetch(`${url}/metrics`)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refused.json()).toMatchObject({ error: { code: 'unauthenticated' } })
    expect(await statusOf(`${url}/metrics`, { ...as(metricsToken), method: 'POST' })).toBe(405)
  })

  it('is on METRICS_PORT with the probes only, and not on the main port', async () => {
    const { url, lines } = await run({ HEADSUP_METRICS_TOKEN: '', METRICS_PORT: '0' })
    const own = urlOf(lines)
    expect(await scraped(`${own}/metrics`)).toContain('headsup_http_requests_total')
    expect(await statusOf(`${url}/metrics`)).toBe(404)
    for (const path of ['/healthz', '/readyz']) expect(await statusOf(own + path)).toBe(200)
    for (const path of ['/', '/docs', '/api/v1/openapi.json']) expect(await statusOf(own + path)).toBe(404)
  })

  it('has errors without a documentation_url on METRICS_PORT, which serves no pages', async () => {
    const { lines, url } = await run({ METRICS_PORT: '0' })
    const own = urlOf(lines)
    const asked = [
      ['/'],
      ['/docs'],
      ['/metrics'],
      ['/readyz', { method: 'POST' }],
      ['/metrics', { method: 'POST' }],
    ] as const
    for (const [path, init] of asked) {
      const answer = await fetch(own + path, init)
      const { error } = (await answer.json()) as { error: object }
      expect(Object.keys(error)).toEqual(['code', 'message', 'request_id'])
    }
    expect(await (await fetch(`${url}/metrics`)).json()).toMatchObject({
      error: { documentation_url: `${url}/docs#error-unauthenticated` },
    })
  })

  it('needs the token on METRICS_PORT too if one is set', async () => {
    const { lines, url } = await run({ METRICS_PORT: '0' })
    const own = urlOf(lines)
    expect(await statusOf(`${own}/metrics`)).toBe(401)
    expect(await statusOf(`${own}/metrics`, as(metricsToken))).toBe(200)
    expect(await statusOf(`${url}/metrics`, as(metricsToken))).toBe(200)
  })

  it('refuses two Authorization headers, on both ports', async () => {
    const { lines, url } = await run({ METRICS_PORT: '0' })
    const field = `Authorization: Bearer ${metricsToken}`
    for (const base of [urlOf(lines), url]) {
      const connection = await connectRaw(base)
      connection.write(['GET /metrics HTTP/1.1', 'Host: a', field, field, 'Connection: close', '', ''].join('\r\n'))
      expect(statuses(await connection.closed())).toEqual([400])
    }
  })

  it('does not accept a token that is too short', async () => {
    await expect(run({ HEADSUP_METRICS_TOKEN: 'fifteen-letters' })).rejects.toThrow('HEADSUP_METRICS_TOKEN: must be 16')
  })

  it('names the setting if its port is in use', async () => {
    const { url } = await run()
    await expect(run({ METRICS_PORT: new URL(url).port })).rejects.toThrow('Set METRICS_PORT or HOST to another.')
  })
})

function urlOf(lines: { message: string; fields: Record<string, unknown> }[]): string {
  return String(lines.find(({ message }) => message === 'metrics')?.fields.url)
}

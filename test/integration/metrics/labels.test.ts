import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { run } from './running.ts'

const methods = ['PROPFIND', 'MKCOL', 'SUBSCRIBE', 'M-SEARCH', 'LOCK', 'PURGE']

/** Unlike `fetch`, sends any method and an unchanged path. */
function send(url: string, method: string, path: string, event = 'none'): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { 'x-github-event': event, 'content-type': 'application/json', 'x-github-delivery': 'guid' }
    request({ hostname, port, method, path, headers }, (response) => {
      response.resume().on('end', resolve)
    })
      .on('error', reject)
      .end('{}')
  })
}

describe('the labels of the metrics', () => {
  it('have a bounded number of values, whatever is sent', async () => {
    const { url, github, ask, scrape } = await run({ WEBHOOK_SECRET: 'it is a secret to everybody' })
    const { writer } = github.addRepository('web')
    async function sendSome(name: string, i: number) {
      const paths = [`/${name}`, `/API/v1/repos/${name}`, `/%2e/${name}`, `/api/v1/repos/acme/${name}/activity`]
      await send(url, methods[i % methods.length] ?? 'LOCK', `/${name}`)
      if (i % 5 > 0) return
      await send(url, 'POST', '/api/github/webhooks', name)
      for (const path of paths) await ask(`ghp_${name}`, path, { method: ['GET', 'DELETE', 'PUT'][i % 3] ?? 'GET' })
    }
    async function sendRound(round: number) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => sendSome(`stranger-${round}-${i}`, i)))
      await ask(writer, `/api/v1/repos/acme/web/activity/act_${String(round).padStart(26, '0')}`)
      return await scrape()
    }
    const first = await sendRound(1)
    const second = await sendRound(2)
    expect(second.names.filter((name) => /stranger|acme|ghp_|act_0/.test(name))).toEqual([])
    expect(first.names.length).toBeGreaterThan(100)
    const own = ({ names }: { names: string[] }) => names.filter((name) => name.startsWith('headsup_http')).sort()
    const ofScrapes = /"\/metrics"/
    expect(own(second).filter((name) => !ofScrapes.test(name))).toEqual(
      own(first).filter((name) => !ofScrapes.test(name)),
    )
    expect(second.value('headsup_http_requests_total{method="other",route="none",status="404"}')).toBe(200)
  })
})

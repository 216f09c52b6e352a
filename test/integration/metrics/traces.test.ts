import { describe, expect, it, vi } from 'vitest'
import { startReceiver } from './receiver.ts'
import { run } from './running.ts'

const activities = '/api/v1/repos/acme-of-secrets/secret-web/activity'
const template = '/api/v1/repos/:owner/:repo/activity'

describe('traces', () => {
  it('follow a request from the caller to GitHub and the database, with templates only', async () => {
    const receiver = await startReceiver()
    const { github, ask, stop } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` })
    const { writer } = github.addRepository('secret-web', 'acme-of-secrets')
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const answer = await ask(writer, `${activities}?secret-query=1`, {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'known' },
    })
    expect(answer.status).toBe(400)
    const body = JSON.stringify({
      title: 'secret-title',
      summary: 'Rework.',
      actor: 'secret-actor',
      branch: 'secret-b',
    })
    const headers = { 'content-type': 'application/json', traceparent: 'nonsense' }
    expect((await ask(writer, activities, { method: 'POST', body, headers })).status).toBe(201)
    await stop()

    const spans = receiver.spans()
    const [refused] = spans.filter(({ name }) => name === `GET ${template}`)
    expect(refused).toMatchObject({
      traceId,
      parentSpanId: 'b7ad6b7169203331',
      kind: 'server',
      failed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': template,
        'http.response.status_code': 400,
        'headsup.request_id': 'known',
      },
    })
    expect(spans.filter(({ name }) => name === 'GET /repos/{owner}/{repo}')).toMatchObject([
      {
        traceId,
        parentSpanId: refused?.spanId,
        kind: 'client',
        failed: false,
        attributes: {
          'url.template': '/repos/{owner}/{repo}',
          'http.response.status_code': 200,
          'headsup.asker': 'caller',
        },
      },
    ])
    const [created] = spans.filter(({ name }) => name === `POST ${template}`)
    expect(created?.parentSpanId).toBeUndefined()
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === created?.spanId)
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT', 'SELECT']))
    expect(statements.every(({ kind, traceId }) => kind === 'client' && traceId === created?.traceId)).toBe(true)
    expect(statements.find(({ name }) => name === 'INSERT')?.attributes).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringContaining('$1'),
    })
    expect(spans.filter(({ name }) => name === 'job sweep')).toMatchObject([{ kind: 'internal', failed: false }])
    expect(receiver.texts.join()).not.toMatch(/secret|ghp_|Rework/)
    expect(receiver.texts.join()).toContain('"service.name"')
  })

  it('mark failed requests, calls and statements as failed', async () => {
    const receiver = await startReceiver()
    const { github, ask, stop, dropDatabase } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    const { writer } = github.addRepository('web')
    github.fail({ kind: 'drop', when: 'before' })
    await ask(writer, '/api/v1/repos/acme/web/activity')
    github.heal()
    await dropDatabase()
    await ask(undefined, '/readyz')
    await stop()
    const failed = receiver.spans().filter((span) => span.failed)
    const named = failed.map(({ name, attributes }) => [
      name,
      attributes['http.response.status_code'] ?? attributes['error.type'],
    ])
    expect(named).toEqual(
      expect.arrayContaining([
        ['GET /repos/{owner}/{repo}', 'no_answer'],
        [`GET ${template}`, 503],
        ['GET /readyz', 503],
      ]),
    )
  })

  it('are not propagated to GitHub', async () => {
    const [receiver, inPlaceOfGithub] = [await startReceiver(), await startReceiver()]
    const { ask } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, GITHUB_API_URL: inPlaceOfGithub.url })
    const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    await ask('ghp_somebody', '/api/v1/repos/acme/web/activity', { headers })
    expect(inPlaceOfGithub.headers).toMatchObject([{ authorization: 'Bearer ghp_somebody' }])
    expect(inPlaceOfGithub.headers[0]).not.toHaveProperty('traceparent')
  })

  it('do not block anything if the collector refuses them, and the log says so once', async () => {
    const receiver = await startReceiver(() => 400)
    const { ask, stop, lines } = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    expect((await ask(undefined, '/healthz')).status).toBe(200)
    await stop()
    await vi.waitFor(() => expect(receiver.headers.length).toBeGreaterThan(0), 20_000)
    expect(lines.filter(({ message }) => message === 'OTEL_EXPORTER_OTLP_ENDPOINT takes no traces')).toHaveLength(1)
  })
})

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { createGithubClient } from '../../../../src/service/github/access/caller-client.ts'
import type { GithubResponse } from '../../../../src/service/github/github-response.ts'
import { closedUrl, serve } from './serve.ts'

const json = { 'content-type': 'application/json; charset=utf-8' }
const question = { token: 'ghp_secret', owner: 'octocat', repo: 'hello-world', etag: null }
const repository = { id: 42, full_name: 'octocat/hello-world' }

function clientOf(apiUrl: string, timeLimitMs = 5_000) {
  return createGithubClient({ apiUrl, timeLimitMs })
}

const statusOf = (answer: GithubResponse) => (answer.kind === 'response' ? answer.status : answer.reason)

describe('reading a repository', () => {
  it('sends one GET with the token, without If-None-Match', async () => {
    const github = await serve((_, response) =>
      response.writeHead(200, { ...json, ETag: 'W/"1"' }).end(JSON.stringify(repository)),
    )
    const answer = await clientOf(github.url).readRepository(question)
    expect(answer).toMatchObject({ kind: 'response', status: 200, headers: { etag: 'W/"1"' }, body: repository })
    expect(github.received).toEqual(['GET /repos/octocat/hello-world'])
    expect(github.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer ghp_secret',
      accept: expect.stringContaining('json'),
      'user-agent': expect.stringContaining('headsup'),
    })
    expect(github.requests[0]?.headers).not.toHaveProperty('if-none-match')
  })

  it.each(['/api/v3', '/api/v3/', '/'])('keeps the path of a GitHub Enterprise Server: %s', async (path) => {
    const github = await serve((_, response) => response.writeHead(200, json).end('{}'))
    await clientOf(github.url + path).readRepository(question)
    expect(github.received).toEqual([`GET ${path.replace(/\/$/, '')}/repos/octocat/hello-world`])
  })

  it('sends the ETag unchanged, and returns a 304 as a response', async () => {
    const github = await serve((_, response) => response.writeHead(304).end())
    const answer = await clientOf(github.url).readRepository({ ...question, etag: 'W/"a b"' })
    expect(statusOf(answer)).toBe(304)
    expect(github.requests[0]?.headers['if-none-match']).toBe('W/"a b"')
  })

  it.each([401, 403, 404, 429, 451, 500, 503])(
    'hands a %i on with its headers and body, without another try',
    async (status) => {
      const github = await serve((_, response) =>
        response.writeHead(status, { ...json, 'Retry-After': '7' }).end('{"message":"no"}'),
      )
      const answer = await clientOf(github.url).readRepository(question)
      expect(answer).toMatchObject({ status, headers: { 'retry-after': '7' }, body: { message: 'no' } })
      expect(github.received).toHaveLength(1)
    },
  )

  it('decompresses the response', async () => {
    const github = await serve((_, response) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync(JSON.stringify(repository))),
    )
    expect(await clientOf(github.url).readRepository(question)).toMatchObject({ body: repository })
  })

  it('keeps an id beyond the safe integers', async () => {
    const github = await serve((_, response) => response.writeHead(200, json).end('{"id":1152921504606846977}'))
    expect(await clientOf(github.url).readRepository(question)).toMatchObject({ body: { id: 1152921504606846977n } })
  })
})

describe('redirects', () => {
  it.each([301, 302, 307, 308])(
    'a %i of a rename is followed on the same host, with token and ETag',
    async (status) => {
      const github = await serve((request, response) =>
        request.url === '/repos/octocat/hello-world'
          ? response.writeHead(status, { Location: '/repositories/42' }).end('{}')
          : response.writeHead(200, json).end(JSON.stringify(repository)),
      )
      const answer = await clientOf(github.url).readRepository({ ...question, etag: '"1"' })
      expect(answer).toMatchObject({ status: 200, body: repository })
      expect(github.received).toEqual(['GET /repos/octocat/hello-world', 'GET /repositories/42'])
      expect(github.requests[1]?.headers).toMatchObject({ authorization: 'Bearer ghp_secret', 'if-none-match': '"1"' })
    },
  )

  it('an absolute URL is followed on the same host', async () => {
    const github = await serve((request, response) =>
      request.url === '/repositories/42'
        ? response.writeHead(200, json).end(JSON.stringify(repository))
        : response.writeHead(301, { Location: `http://${request.headers.host}/repositories/42` }).end(),
    )
    expect(statusOf(await clientOf(github.url).readRepository(question))).toBe(200)
  })

  it('no other host or port receives a request', async () => {
    const elsewhere = await serve((_, response) => response.writeHead(200, json).end(JSON.stringify(repository)))
    const github = await serve((_, response) =>
      response.writeHead(301, { Location: `${elsewhere.url}/repositories/42` }).end(),
    )
    expect(statusOf(await clientOf(github.url).readRepository(question))).toBe(301)
    expect(elsewhere.received).toEqual([])
  })

  it.each(['//elsewhere.invalid/x', 'https://elsewhere.invalid/x', 'http://', 'file:///etc/passwd', 'javascript:1'])(
    '%s leads nowhere',
    async (location) => {
      const github = await serve((_, response) => response.writeHead(301, { Location: location }).end())
      expect(statusOf(await clientOf(github.url).readRepository(question))).toBe(301)
      expect(github.received).toHaveLength(1)
    },
  )

  it('a URL with user info is not followed', async () => {
    const github = await serve((request, response) =>
      response.writeHead(301, { Location: `http://user:pw@${request.headers.host}/x` }).end(),
    )
    expect(statusOf(await clientOf(github.url).readRepository(question))).toBe(301)
    expect(github.received).toHaveLength(1)
  })

  it('a redirect loop ends', async () => {
    const github = await serve((request, response) => response.writeHead(301, { Location: request.url }).end())
    expect(statusOf(await clientOf(github.url).readRepository(question))).toBe(301)
    expect(github.received).toHaveLength(4)
  })

  it('without a Location is returned as it is', async () => {
    const github = await serve((_, response) => response.writeHead(301).end())
    expect(statusOf(await clientOf(github.url).readRepository(question))).toBe(301)
  })
})

describe('a request fails', () => {
  const limitMs = 100
  const tooLate = (address: string) => ({
    kind: 'failure',
    reason: `${address}: no answer within ${limitMs} ms`,
    noAnswer: expect.objectContaining({ address, code: 'timeout' }),
  })

  it('if GitHub does not respond', async () => {
    const github = await serve(() => {})
    expect(await clientOf(github.url, limitMs).readRepository(question)).toEqual(tooLate(github.url))
  })

  it.each([200, 403, 404])('if the body of a %i stalls', async (status) => {
    const github = await serve((_, response) => void response.writeHead(status, json).write('{"message":'))
    expect(await clientOf(github.url, limitMs).readRepository(question)).toEqual(tooLate(github.url))
  })

  it('if a redirect stalls, within the time limit of the whole request', async () => {
    const github = await serve((request, response) => {
      if (request.url !== '/repositories/42') response.writeHead(301, { Location: '/repositories/42' }).end()
    })
    expect(await clientOf(github.url, limitMs).readRepository(question)).toEqual(tooLate(github.url))
    expect(github.received).toHaveLength(2)
  })

  it('if GitHub is down', async () => {
    const address = await closedUrl()
    const reason = expect.stringMatching(new RegExp(`^${address}: .*ECONNREFUSED`))
    const answer = { kind: 'failure', reason, noAnswer: { address, code: 'ECONNREFUSED' } }
    expect(await clientOf(address).readRepository(question)).toMatchObject(answer)
  })

  it('if the connection breaks', async () => {
    const github = await serve((request) => request.socket.destroy())
    expect(await clientOf(github.url).readRepository(question)).toMatchObject({ kind: 'failure' })
  })

  it.each([200, 403])('if the body of a %i is incomplete', async (status) => {
    const github = await serve((_, response) => {
      response
        .writeHead(status, { ...json, 'Content-Length': '1000' })
        .write('{"id":42,"full_name":"octocat/hello-world"}')
      setImmediate(() => response.destroy())
    })
    expect(await clientOf(github.url).readRepository(question)).toMatchObject({ kind: 'failure' })
  })

  it('if the body is endless', async () => {
    function* endless() {
      for (;;) yield 'x'.repeat(65_536)
    }
    const github = await serve((_, response) => {
      response.writeHead(200, json)
      Readable.from(endless()).pipe(response)
    })
    expect(await clientOf(github.url).readRepository(question)).toMatchObject({
      reason: expect.stringContaining('larger'),
    })
  })

  it('if the response is not HTTP', async () => {
    const github = await serve((request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    expect(await clientOf(github.url).readRepository(question)).toMatchObject({ kind: 'failure' })
  })

  it('without naming the token', async () => {
    const github = await serve((request) => request.socket.destroy())
    expect(JSON.stringify(await clientOf(github.url).readRepository(question))).not.toContain('secret')
  })
})

describe('generating release notes', () => {
  const write = { token: 'ghs_secret', owner: 'octocat', repo: 'hello-world', defaultBranch: 'trunk' }

  it('sends one POST that saves nothing', async () => {
    const bodies: string[] = []
    const github = await serve(async (request, response) => {
      bodies.push(await text(request))
      response.writeHead(200, json).end('{"name":"x","body":"y"}')
    })
    expect(statusOf(await clientOf(`${github.url}/api/v3`).generateNotes(write))).toBe(200)
    expect(github.received).toEqual(['POST /api/v3/repos/octocat/hello-world/releases/generate-notes'])
    expect(github.requests[0]?.headers.authorization).toBe('Bearer ghs_secret')
    expect(bodies.map((body) => JSON.parse(body))).toEqual([{ tag_name: 'headsup-check', target_commitish: 'trunk' }])
  })

  it('follows a 307 with its body, and does not follow a 301 as a GET', async () => {
    for (const [status, count] of [
      [307, 2],
      [301, 1],
    ] as const) {
      const bodies: string[] = []
      const github = await serve(async (request, response) => {
        bodies.push(await text(request))
        if (request.url === '/elsewhere') response.writeHead(200, json).end('{}')
        else response.writeHead(status, { Location: '/elsewhere' }).end()
      })
      await clientOf(github.url).generateNotes(write)
      expect(github.received).toHaveLength(count)
      expect(bodies[1]).toBe(count === 2 ? bodies[0] : undefined)
    }
  })
})

it('nothing is written to the console, not even a deprecation', async () => {
  const printed = (['log', 'warn', 'error', 'info', 'debug'] as const).map((name) => vi.spyOn(console, name))
  const github = await serve((_, response) =>
    response.writeHead(500, { ...json, Deprecation: 'true', Sunset: 'soon' }).end('{}'),
  )
  await clientOf(github.url).readRepository(question)
  for (const spy of printed) expect(spy).not.toHaveBeenCalled()
})

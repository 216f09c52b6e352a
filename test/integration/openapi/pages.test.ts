import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../../src/core/errors.ts'
import { buildDocument } from '../../../src/service/api/http/openapi/document.ts'
import { errorOf } from '../../support/client.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let docs: string
let llms: string

const read = async (path: string) => (await fetch(service.url + path)).text()

beforeAll(async () => {
  service = await startTestService()
  docs = await read('/docs')
  llms = await read('/llms.txt')
})
afterAll(() => service.stop())

const idsOf = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

/** The links that do not lead to a page of the service, or to an id on it. */
async function broken(links: string[], from: string): Promise<string[]> {
  const found: string[] = []
  for (const link of new Set(links)) {
    const { pathname, hash, origin } = new URL(link, service.url + from)
    const response = await fetch(service.url + pathname, { headers: { accept: 'text/html' } })
    const isThere = hash === '' || idsOf(await response.text()).includes(hash.slice(1))
    if (origin !== service.url || response.status !== 200 || !isThere) found.push(link)
  }
  return found
}

/** The tags that are not closed in the reverse order of opening. */
function unbalanced(page: string): string[] {
  const open: string[] = []
  for (const [, end, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (['meta', 'link'].includes(name)) continue
    if (end === '') open.push(name)
    else if (open.pop() !== name) return [...open, name]
  }
  return open
}

describe('an Idempotency-Key', () => {
  it('is documented with its format and with the header of a repeated response, for both creates', () => {
    const rows = docs.split('<dt>').filter((row) => row.startsWith('<code>Idempotency-Key</code>'))
    expect(rows).toHaveLength(2)
    for (const text of [...rows, buildDocument().components.parameters.IdempotencyKey.description, llms]) {
      expect(text).toMatch(/1 to 255 visible ASCII characters.*Idempotency-Replayed: true/)
    }
  })
})

describe('every page', () => {
  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/style.css', 'text/css; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
  ])('%s needs no token, and only allows GET and HEAD', async (path, type) => {
    const response = await fetch(service.url + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('etag')).not.toBeNull()
    expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(service.url + path, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${service.url}${path}/`)).status).toBe(200)
  })
})

describe('the page /docs', () => {
  it('has no scripts and nothing from other hosts, and its policy forbids them', async () => {
    const policy = (await fetch(`${service.url}/docs`)).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'")
    expect(docs).not.toMatch(/<script|<style| style=| on\w+=|javascript:|<img|<iframe/i)
    expect([...docs.matchAll(/(?:href|src)="([^"]*)"/g)].filter(([, to = '']) => !/^[/#]/.test(to))).toEqual([])
  })

  it('has a section for every error, which its documentation_url links to', async () => {
    const ids = idsOf(docs)
    expect(errorCodes.filter((code) => !ids.includes(`error-${code}`))).toEqual([])
    const { documentation_url } = errorOf(await service.call('GET', '/nowhere'))
    expect(await broken([documentation_url], '/')).toEqual([])
  })

  it('names every operation and every field of the document', () => {
    const { paths, components } = buildDocument()
    const missing = Object.keys(paths).filter((path) => path.startsWith('/repos') && !docs.includes(path))
    const fields = Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties))
    const unnamed = fields.filter((field) => !docs.includes(`<code>${field}</code>`))
    expect([missing, unnamed]).toEqual([[], []])
  })

  it('has only valid links, unique ids and closed tags', async () => {
    const links = [...docs.matchAll(/href="([^"]+)"/g)].map(([, to = '']) => to)
    expect(await broken(links, '/docs')).toEqual([])
    expect(links.length).toBeGreaterThan(50)
    expect(idsOf(docs).length).toBe(new Set(idsOf(docs)).size)
    expect(unbalanced(docs)).toEqual([])
  })

  it('has a language, a title, landmarks and headings for screen readers', () => {
    for (const part of [
      '<html lang="en">',
      '<title>',
      '<main>',
      '<nav id="contents" aria-label=',
      'href="#contents"',
    ]) {
      expect(docs).toContain(part)
    }
    const count = (tag: string) => docs.split(tag).length - 1
    expect(count('<h1>')).toBe(1)
    const levels = [...docs.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
    expect(levels.filter((level, index) => level - (levels[index - 1] ?? 0) > 1)).toEqual([])
  })
})

describe('llms.txt', () => {
  it('has the format of llmstxt.org: a title, a quote, text without headings, then lists of links', () => {
    const [title, , quote] = llms.split('\n')
    expect([title, quote?.slice(0, 2)]).toEqual(['# Headsup', '> '])
    const [, ...sections] = llms.split(/^## .+$/m)
    expect(sections.length).toBe(2)
    for (const section of sections) {
      for (const line of section.trim().split('\n')) expect(line).toMatch(/^- \[[^\]]+\]\(\/[^)]+\)(: .+)?$/)
    }
    expect(llms.match(/^#+ /gm)).toEqual(['# ', '## ', '## '])
  })

  it('has only valid links', async () => {
    const links = [...llms.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to)
    expect(links.length).toBeGreaterThan(13)
    expect(await broken(links, '/llms.txt')).toEqual([])
  })

  it('says what to do about every error', () => {
    expect(errorCodes.filter((code) => !llms.includes(`\`${code}\``))).toEqual([])
  })

  it('is shorter than 12,000 characters', () => {
    expect(llms.length).toBeLessThan(12_000)
  })

  it('has examples that work unchanged', async () => {
    const repository = service.newRepository()
    const shells = [...llms.matchAll(/^```sh\n(.+?)\n```$/gms)].map(([, shell = '']) => shell)
    const env = { PATH: process.env.PATH, HEADSUP_URL: service.url, GITHUB_TOKEN: repository.writer }
    const repo = { REPO: `${repository.owner}/${repository.name}` }
    let ACTIVITY = ''
    const statuses: number[] = []
    const bodies: unknown[] = []
    for (const shell of shells) {
      const command = `${shell.replace('curl -sS', "curl -sS -w '\\n%{http_code}'")}`
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...env, ...repo, ACTIVITY } })
      const [body = '', status] = stdout.split(/\n(?=\d+$)/)
      statuses.push(Number(status))
      bodies.push(JSON.parse(body))
      ACTIVITY ||= /"activity":\{"id":"(\w+)"/.exec(body)?.[1] ?? ''
    }
    expect(statuses).toEqual([200, 201, 200, 200, 200])
    expect(bodies).toMatchObject([
      { overlap_detected: false },
      { activity: { branch: 'feat/login' } },
      { id: ACTIVITY },
      { risk: 'high', scope: { areas: ['auth'], paths: ['src/auth/**', 'src/session.ts'] } },
      { status: 'archived' },
    ])
  })
})

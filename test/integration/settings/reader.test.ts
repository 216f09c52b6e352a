import { describe, expect, it } from 'vitest'
import type { Repository } from '../../../src/service/records/repository/repository.ts'
import type { FileRequest, FoundFile } from '../../../src/service/records/settings/found-file.ts'
import { invalidateSettingsOfOwner } from '../../../src/service/records/settings/invalidate-owner.sql.ts'
import { createSettingsReader } from '../../../src/service/records/settings/reader.ts'
import { invalidateSettings } from '../../../src/service/records/settings/settings-store.ts'
import { minute, second, startClock } from '../../support/clock.ts'
import { silentLog } from '../../support/log.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const db = await openTestDatabase()

let lastId = 0n

function newRepository(): Repository {
  const id = ++lastId
  return { id, owner: `Owner-${id}`, name: 'app', defaultBranch: 'main' }
}

/** A source of settings files that responds when the test says so. */
function manualGithub() {
  const requests: { request: FileRequest; respond: (found: FoundFile) => void }[] = []
  const find = (request: FileRequest) =>
    new Promise<FoundFile>((resolve) => {
      requests.push({ request, respond: resolve })
    })
  return {
    find,
    requests,
    /** Responds to the request with this index, once it is made. */
    async respond(index: number, found: FoundFile) {
      await expect.poll(() => requests.length).toBeGreaterThan(index)
      requests[index]?.respond(found)
    },
  }
}

const failure: FoundFile = { kind: 'failure', reason: 'down', retryAfterSeconds: null }

function fileOf(ttl: number): FoundFile {
  const bytes = new TextEncoder().encode(`activity_ttl_ms: ${ttl}\n`)
  return { kind: 'file', repository: 'Owner/app', sha: String(ttl), etag: `"${ttl}"`, content: { bytes } }
}

const clock = startClock()

function newReader(github = manualGithub()) {
  const reader = createSettingsReader({ db, operator: {}, find: github.find, log: silentLog, now: clock.now })
  const ttlOf = async (repository: Repository) => (await reader.settingsOf(repository)).settings.activity_ttl_ms
  return { ...reader, github, ttlOf }
}

describe('a response that arrives after an invalidation', () => {
  it('serves the callers that waited for it, and is neither cached nor saved', async () => {
    const { github, ttlOf, forget, stop } = newReader()
    const repository = newRepository()
    const waiting = ttlOf(repository)
    await expect.poll(() => github.requests.length).toBe(1)
    forget()
    const next = ttlOf(repository)
    await github.respond(1, fileOf(180_000))
    expect(await next).toBe(180_000)
    await github.respond(0, fileOf(120_000))
    expect(await waiting).toBe(120_000)
    expect(await ttlOf(repository)).toBe(180_000)
    await stop()
    forget()
    expect(await ttlOf(repository)).toBe(180_000)
  })

  it('is requested again if another instance invalidated the settings in the database', async () => {
    const { github, ttlOf, forget, stop } = newReader()
    const repository = newRepository()
    const first = ttlOf(repository)
    await github.respond(0, fileOf(120_000))
    await first
    await stop()
    clock.advance(11 * minute)
    await ttlOf(repository)
    await expect.poll(() => github.requests.length).toBe(2)
    expect(await invalidateSettings(db.prisma, repository.id)).toBe(1)
    await github.respond(1, fileOf(150_000))
    await stop()
    clock.advance(2 * minute)
    const next = ttlOf(repository)
    await github.respond(2, fileOf(180_000))
    expect(await next).toBe(180_000)
    expect(github.requests[2]?.request.known).toEqual({ repository: 'Owner/app', etag: '"150000"' })
    await stop()
    forget()
    expect(await ttlOf(repository)).toBe(180_000)
  })
})

describe('a failed request', () => {
  it('is waited for once; the next request is in the background', async () => {
    const { github, ttlOf, stop } = newReader()
    const repository = newRepository()
    const first = ttlOf(repository)
    await github.respond(0, failure)
    expect(await first).toBe(86_400_000)
    clock.advance(2 * minute)
    // This resolves before the second response.
    expect(await ttlOf(repository)).toBe(86_400_000)
    expect(github.requests).toHaveLength(2)
    await github.respond(1, fileOf(120_000))
    await stop()
    expect(await ttlOf(repository)).toBe(120_000)
  })

  it.each([
    [null, 30 * second],
    [5, 30 * second],
    [120, 2 * minute],
    [86_400, 10 * minute],
  ])('with a Retry-After of %j s is repeated after %i ms', async (retryAfterSeconds, waitMs) => {
    const { github, ttlOf } = newReader()
    const repository = newRepository()
    const first = ttlOf(repository)
    await github.respond(0, { kind: 'failure', reason: 'busy', retryAfterSeconds })
    await first
    clock.advance(waitMs - second)
    await ttlOf(repository)
    expect(github.requests).toHaveLength(1)
    clock.advance(second)
    await ttlOf(repository)
    expect(github.requests).toHaveLength(2)
  })
})

describe('an invalidation', () => {
  it('of an owner covers all repositories of the owner, in any case of the name, and no others', async () => {
    const { github, ttlOf, stop } = newReader()
    const [theirs, other] = [newRepository(), newRepository()]
    const all = [theirs, { ...newRepository(), owner: theirs.owner.toUpperCase() }, other].map(ttlOf)
    for (const index of all.keys()) await github.respond(index, { kind: 'none' })
    await Promise.all(all)
    await stop()
    expect(await invalidateSettingsOfOwner(db.prisma, theirs.owner)).toBe(2)
  })

  it('of an unknown repository does nothing', async () => {
    expect(await invalidateSettings(db.prisma, newRepository().id)).toBe(0)
  })
})

describe('a locked row', () => {
  it('does not block the reading of settings', async () => {
    const { github, ttlOf, forget, stop } = newReader()
    const repository = newRepository()
    const first = ttlOf(repository)
    await github.respond(0, fileOf(120_000))
    await first
    await stop()
    await invalidateSettings(db.prisma, repository.id)
    forget()
    await db.transaction(async (tx) => {
      await invalidateSettings(tx, repository.id)
      const inside = ttlOf(repository)
      await github.respond(1, fileOf(180_000))
      expect(await inside).toBe(180_000)
    })
    await stop()
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesRead } from '../../support/bytes-read.ts'
import { connectModel } from '../../support/mcp.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

const MiB = 1024 * 1024

let service: TestService
beforeAll(async () => {
  service = await startTestService({ database: { poolSize: 2 } })
})
afterAll(() => service.stop())

/** Reads a list page by page. Expects pages of at most 1 MiB that do not cost much more to read. */
async function readPages(repository: TestRepository, path: string) {
  const pages: unknown[][] = []
  for (let cursor = ''; ; ) {
    const before = bytesRead(service.db)
    const { body } = await repository.get(`${path}?limit=100${cursor}`, { token: repository.reader })
    const { items, next_cursor } = body as { items: unknown[]; next_cursor: string | null }
    if (items.length > 1) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MiB)
    expect(bytesRead(service.db) - before).toBeLessThan(2 * MiB)
    pages.push(items)
    if (next_cursor === null) return pages
    expect(items.length).toBeGreaterThan(0)
    cursor = `&cursor=${next_cursor}`
  }
}

const idsOf = (pages: unknown[][]) => pages.flat().map((item) => (item as { id: string }).id)

/** As large as a scope could be before it had a limit. */
const largePaths = (n: number) => Array.from({ length: 100 }, (_, m) => `src/${n}/${m}/${'é'.repeat(1_000)}`)
/** As large as it may be now. */
const fullPaths = (n: number) => Array.from({ length: 16 }, (_, m) => `${n}/${m}/`.padEnd(1_000, 'abcdefg/'))

describe('a page of a list ends at 1 MiB, and the next one goes on', () => {
  it('of notables, stored with large scopes', async () => {
    const repository = service.newRepository()
    const ids = await service.fillNotables(repository, 20, (n) => ({ areas: [], paths: largePaths(n) }))
    const pages = await readPages(repository, '/notables')
    expect(idsOf(pages)).toEqual(ids.toReversed())
    expect(pages[0]?.[0]).toMatchObject({ scope: { paths: largePaths(19) } })
    expect(pages.length).toBeGreaterThanOrEqual(4)
  })

  it('of notables with full scopes, large and small ones in turn', async () => {
    const repository = service.newRepository()
    const scopeOf = (n: number) => ({ areas: ['a'], paths: n % 3 === 0 ? ['src/**'] : fullPaths(n) })
    const ids = await service.fillNotables(repository, 150, scopeOf)
    const pages = await readPages(repository, '/notables')
    expect(idsOf(pages)).toEqual(ids.toReversed())
    expect(pages[0]?.length).toBeGreaterThan(50)
  })

  it('of activities', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 8, largePaths(1))
    await service.fill(repository, 3, ['src/**'])
    const pages = await readPages(repository, '/activity')
    const ids = idsOf(pages)
    expect(new Set(ids).size).toBe(11)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(pages.length).toBeGreaterThanOrEqual(2)
  })

  it('of a history', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', { title: 'T', summary: 'S', actor: 'A' })
    for (let n = 0; n < 12; n++)
      await service.db.query(
        `update activities set paths = $3, updated_at = now(), changed_by = '' where repository_id = $1 and id = $2`,
        [repository.id, activity.id, largePaths(n)],
      )
    const pages = await readPages(repository, `/activity/${activity.id}/history`)
    expect(pages.flat()).toHaveLength(13)
    expect(pages.length).toBeGreaterThanOrEqual(3)
  })

  it('at the characters of JSON, which may be six times those of the text', async () => {
    const repository = service.newRepository()
    const paths = Array.from({ length: 80 }, (_, m) => `${m}/`.padEnd(100, '\u0001'))
    const ids = await service.fillNotables(repository, 100, () => ({ areas: [], paths }))
    const pages = await readPages(repository, '/notables')
    expect(idsOf(pages)).toEqual(ids.toReversed())
    expect(pages.length).toBeGreaterThanOrEqual(4)
  })

  it('of an MCP result', async () => {
    const repository = service.newRepository()
    const ids = await service.fillNotables(repository, 12, (n) => ({ areas: [], paths: largePaths(n) }))
    const model = await connectModel(service.url, repository.reader)
    const named = { repository: `${repository.owner}/${repository.name}`, limit: 100 }
    type Page = { items: { id: string }[]; next_cursor: string | null }
    const first = await model.done<Page>('list_notables', named)
    expect(first.items.length).toBeLessThan(12)
    const rest: string[] = []
    for (let cursor = first.next_cursor; cursor !== null; ) {
      const next = await model.done<Page>('list_notables', { ...named, cursor })
      rest.push(...next.items.map(({ id }) => id))
      cursor = next.next_cursor
    }
    expect([...first.items.map(({ id }) => id), ...rest]).toEqual(ids.toReversed())
    await model.close()
  })
})

describe('the list of colliding pairs', () => {
  it('ends at 1 MiB, and says that there is more', async () => {
    const repository = service.newRepository()
    const areas = Array.from({ length: 100 }, (_, n) => `${n}-${'字'.repeat(90)}`)
    await service.fill(repository, 16, ['src/**'])
    await service.db.query('update activities set areas = $2, area_keys = $2 where repository_id = $1', [
      repository.id,
      areas,
    ])
    const { body } = await repository.get('/collisions')
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MiB)
    expect(body).toMatchObject({ truncated: true })
    expect((body as { items: unknown[] }).items.length).toBeGreaterThan(10)
  })
})

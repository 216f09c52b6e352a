import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesRead } from '../../support/bytes-read.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ database: { poolSize: 2 } })
})
afterAll(() => service.stop())

const times = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n))
const deep = (n: number) => `${'a/'.repeat(60)}f${n}.ts`
const long = (n: number) => `${'a'.repeat(200)}${n}.ts`

/** Globs and changed files that take long to compare, all within the limits of a scope. */
const families: [string, globs: string[], changed: (n: number) => string][] = [
  ['stars', times(100, (n) => `${'*a'.repeat(60)}*${n}?`), long],
  ['double stars', times(75, (n) => `${'**/a/'.repeat(40)}b${n}*`), deep],
  ['brackets', times(75, (n) => `${'*[ab]'.repeat(40)}*${n}?`), long],
  ['braces', times(15, (n) => `**/*{a,b,c,d}*{a,b,c,d}*{a,b,c,d}*${n}x?`), long],
  ['anything', times(100, (n) => `**/*${n}x*`), long],
]

async function checked(repository: TestRepository, changed: (n: number) => string) {
  return repository.check({ branch: 'mine', changes: { files: times(300, changed).map((path) => ({ path })) } })
}

describe('a check of 300 changed files among scopes made to be costly', () => {
  it.each(families)('ends, and says that it is not the whole answer: %s', async (_, paths, changed) => {
    const repository = service.newRepository()
    await service.fill(repository, 20, paths)
    const { reason, recommended_action } = await checked(repository, changed)
    expect(reason).toContain('this is not the whole answer')
    expect(recommended_action.toLowerCase()).not.toContain('go ahead')
  })

  it('lets the checks of another repository go first, however many there are', async () => {
    const [costly, calm] = [service.newRepository(), service.newRepository()]
    const [[, paths, changed] = ['', [], deep]] = families
    await service.fill(costly, 20, paths)
    await service.fill(calm, 20, ['src/**'])
    let ended = 0
    const all = Array.from({ length: 6 }, () =>
      checked(costly, changed).then(() => {
        ended++
      }),
    )
    const overlap = await calm.check({ branch: 'mine', scope: { paths: ['src/a.ts'] } })
    expect(overlap.related_activity_ids).toHaveLength(20)
    expect(ended).toBe(0)
    await Promise.all(all)
  })
})

describe('the pairs of a repository with costly scopes', () => {
  it('are not all compared, and the list says so', async () => {
    const repository = service.newRepository()
    for (const end of ['x', 'y']) {
      const paths = times(75, (n) => `${'*[ab]'.repeat(40)}*${n}${end}?`)
      await service.fill(repository, 1, paths)
    }
    const { body } = await repository.get('/collisions')
    expect(body).toMatchObject({ items: [], truncated: true })
  })
})

describe('a check that meets more than it can read', () => {
  const full = (n: number) => times(16, (m) => `${`**/${n}/${m}/`.padEnd(990, 'abcdefg/')}/*y?`)
  const everything = { scope: { paths: ['**/z.ts'] } }

  it('reads 2 MiB of the paths of notables, blocking ones first, and says that it is not the whole answer', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised({ scope: { paths: ['**/z.ts'] }, blocking: true })
    await service.fillNotables(repository, 300, (n) => ({ areas: [], paths: full(n) }))
    await repository.check(everything)
    const before = bytesRead(service.db)
    const found = await repository.check(everything)
    expect(bytesRead(service.db) - before).toBeLessThan(4_000_000)
    expect(found).toMatchObject({ related_notable_ids: [id], repository_notable_ids: [] })
    expect(found.reason).toContain('this is not the whole answer')
  })

  it('reads 32 MB of activities, and says that it is not the whole answer', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 2_500, full(1))
    await repository.check()
    const before = bytesRead(service.db)
    const found = await repository.check(everything)
    expect(bytesRead(service.db) - before).toBeLessThan(30_000_000)
    expect(found).toMatchObject({ overlap_detected: false })
    expect(found.reason).toContain('this is not the whole answer')
  })
})

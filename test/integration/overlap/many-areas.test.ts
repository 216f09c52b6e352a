import { expect, it, onTestFinished } from 'vitest'
import { startTestService } from '../../support/service.ts'

it('a check of many areas with many globs is compared with everything', async () => {
  const labels = Array.from({ length: 50 }, (_, n) => `a${n}`)
  const globs = (area: string) =>
    Array.from({ length: 20 }, (_, n) => `services/${area}/**/m${n}*/**/*.{ts,tsx,js,jsx}`)
  const service = await startTestService({
    settings: { areas: Object.fromEntries(labels.map((label) => [label, globs(label)])) },
  })
  onTestFinished(() => service.stop())
  const repository = service.newRepository()
  const work = { title: 'T', summary: 'S', actor: 'A' }
  const created = async (scope: object) => (await repository.created('/activity', { ...work, scope })).activity.id
  const ids = [await created({ areas: ['a0'] }), await created({ paths: ['services/a1/x/m7y/z.ts'] })]
  await created({ areas: ['a40'] })
  const { id } = await repository.raised({ scope: { areas: ['a3'] } })
  const overlap = await repository.check({ scope: { areas: labels.slice(0, 20) } })
  expect(overlap.related_activity_ids.toSorted()).toEqual(ids.toSorted())
  expect(overlap.related_notable_ids).toEqual([id])
  expect(overlap.reason).not.toMatch('costly')
})

it('work in an area of the settings is found even if it is too costly to find the areas that a check intersects', async () => {
  const costly = (start: string) =>
    Array.from({ length: 12 }, (_, n) => `${start}{a,b}${'[abcdefghijklmnop]'.repeat(26)}{a,b}${10 + n}`)
  const costlyAreas = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`a${n}`, costly(`y${n}`)]))
  const service = await startTestService({ settings: { areas: { ...costlyAreas, plain: ['src/**'] } } })
  onTestFinished(() => service.stop())
  const repository = service.newRepository()
  const work = { title: 'T', summary: 'S', actor: 'A' }
  const { activity } = await repository.created('/activity', { ...work, scope: { areas: ['Plain'] } })
  const overlap = await repository.check({ scope: { paths: ['src/a.ts', ...costly('x')] } })
  expect(overlap.related_activity_ids).toEqual([activity.id])
})

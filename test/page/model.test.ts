import { expect, it } from 'vitest'
import type { Activity } from '../../src/core/schemas/activity.ts'
import { cardsOf, type Pair } from '../../src/page/model.ts'

it('§12 a card has the severity of its worst pair, though pairs of members come before those of strangers', () => {
  const activities = ['one', 'two', 'three'].map((id) => ({ id, author_login: id })) as Activity[]
  const pair = { by: 'lines', example_path: 'src/a.ts', areas: [], issues: [], lines: null, their_lines: null }
  const items = [
    { ...pair, activity_ids: ['two', 'one'], severity: 'medium', stranger: false },
    { ...pair, activity_ids: ['three', 'one'], severity: 'high', stranger: true },
  ] as Partial<Pair>[] as Pair[]
  const collisions = {
    items,
    truncated: false,
    observed: { pull_requests: 'current', as_of: null, unread: 0 },
  } as const
  const lists = { activities, notables: [], collisions, isCut: false }
  expect(cardsOf(lists, 'one')).toMatchObject([{ severity: 'high', works: [{}, {}, {}] }])
})

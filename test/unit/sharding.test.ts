import { describe, expect, it } from 'vitest'
import { unsharded } from '../support/sharding.ts'

const tables = new Set(['activities', 'scope_keys', 'notables'])

describe('a statement names its repository', () => {
  it.each([
    'select id from activities where repository_id = $1 and id = $2',
    'SELECT "public"."activities"."id" FROM "public"."activities" WHERE ("public"."activities"."repository_id" = $1 AND 1=1)',
    'insert into activities (repository_id, id) values ($1, $2)',
    'update activities as activity set title = $2 where activity.repository_id = $1',
    'with mine as (select repository_id, id from activities where repository_id = $1) delete from scope_keys as entry using mine where entry.repository_id = mine.repository_id',
    'select 1 from scope_keys as k join activities as a on a.repository_id = k.repository_id where k.repository_id = $1',
    'select 1 from guests, unnest($1) as entry(a, b)',
    "select 'from activities'",
  ])('in %s', (sql) => {
    expect(unsharded(sql, tables)).toEqual([])
  })

  it.each([
    ['select id from activities where id = $1', ['activities']],
    ['select id from activities where repository_id = any($1)', ['activities']],
    ['select id from activities where repository_id > $1', ['activities']],
    ['SELECT "id" FROM "public"."activities" WHERE "public"."activities"."id" = $1', ['activities']],
    ['insert into activities (id) values ($1)', ['activities']],
    ['update activities set title = $1', ['activities']],
    ['delete from notables where id = $1', ['notables']],
    ['select 1 from scope_keys, activities where activities.repository_id = $1', ['scope_keys']],
    ['select 1 from activities where repository_id = $1 union all select 2 from notables', ['notables']],
    ['select 1 from activities where repository_id = $1 and id in (select id from notables)', ['notables']],
    ['with all_of_them as (select id from activities) select 1 from all_of_them', ['activities']],
    [
      'select 1 from activities as a join scope_keys as k on a.repository_id = k.repository_id',
      ['activities', 'scope_keys'],
    ],
  ])('but not in %s', (sql, found) => {
    expect(unsharded(sql, tables)).toEqual(found)
  })
})

import { describe, expect, it } from 'vitest'
import { prepareClones } from '../support/clones.ts'
import { type Clone, jsonOf } from '../support/command-line.ts'
import type { TestRepository } from '../support/service.ts'

let repository: TestRepository
let alice: Clone
let bob: Clone

prepareClones((stage) => {
  ;({ repository } = stage)
  alice = stage.clone('Alice')
  bob = stage.clone('Bob', { token: repository.otherWriter })
})

describe('notables', () => {
  it('need a title alone', async () => {
    expect(await jsonOf(alice, 'notable', 'raise', '--title', 'Freeze')).toMatchObject({
      summary: 'Freeze',
      importance: 'medium',
      category: 'warning',
      blocking: false,
    })
    expect(await alice.headsup(['notable', 'raise'])).toMatchObject({ code: 2, err: 'headsup: --title is needed.\n' })
  })

  it('are raised, listed, shown, changed and archived', async () => {
    const args = [
      'notable',
      'raise',
      'src/auth',
      '--title',
      'Sessions move',
      '--importance',
      'high',
      '--category',
      'migration',
    ]
    const notable = await jsonOf(alice, ...args)
    expect(notable).toMatchObject({
      title: 'Sessions move',
      summary: 'Sessions move',
      scope: { paths: ['src/auth/**'] },
    })
    expect((await bob.headsup(['notable', 'list'])).out).toContain('Sessions move')
    expect(await bob.headsup(['check', 'src/auth/login.ts'])).toMatchObject({
      out: expect.stringContaining('The notable “Sessions move” is about files such as “src/auth/login.ts”'),
    })
    expect(await jsonOf(alice, 'notable', 'update', notable.id, '--importance', 'low')).toMatchObject({
      importance: 'low',
    })
    expect((await bob.headsup(['notable', 'show', notable.id])).out).toContain('low severity')
    expect(await jsonOf(alice, 'notable', 'done', notable.id)).toMatchObject({ status: 'archived' })
    expect((await bob.headsup(['notable', 'list'])).out).toBe('There are no notables.\n')
    expect((await bob.headsup(['list'])).out).toBe('There is no live work.\n')
    expect((await bob.headsup(['list', '--no-pr'])).out).toBe('No work matches.\n')
    expect((await bob.headsup(['notable', 'show', notable.id])).out).toMatch(/archived, migration, low severity\n/)
  })

  it('are printed without control and direction characters', async () => {
    await repository.raised({ title: 'a \u202eb', summary: 'x\u001b[2J\u009by\nz' })
    const { out } = await bob.headsup(['notable', 'list'])
    expect(out).toContain('“a b”: “x[2Jy z”')
    expect((await jsonOf(bob, 'notable', 'list')).items[0].summary).toBe('x\u001b[2J\u009by\nz')
  })
})

import { describe, expect, it } from 'vitest'
import { createLookUp, type FoundAnswer, type LookUp } from '../../../../src/service/github/access/look-up.ts'

function setUp(entries = 100) {
  const clock = { now: 1_000_000 }
  const lookUp = createLookUp<string>({
    entries,
    freshMs: (value) => (value === 'brief' ? 1_000 : 60_000),
    now: () => clock.now,
  })
  const question = (tokenKey: string, repository: string) => ({ tokenKey, repository, address: '192.0.2.1' })
  const ask = (tokenKey: string, repository: string, found: Partial<FoundAnswer<string>> = {}) =>
    lookUp.ask(question(tokenKey, repository), async () => ({
      ...{ value: 'yes', requestedAt: clock.now, repositoryId: null, nameKeys: [repository] },
      ...found,
    }))
  const isFresh = (tokenKey: string, repository: string) => lookUp.known(tokenKey, repository)?.isFresh ?? null
  return { clock, lookUp, question, ask, isFresh }
}

describe('an answer', () => {
  it('is fresh for its own time from the request, and is then kept', async () => {
    const { clock, lookUp, ask, isFresh } = setUp()
    await ask('t', 'a/b')
    await ask('t', 'a/c', { value: 'brief' })
    await ask('t', 'a/d', { requestedAt: clock.now - 59_000 })
    clock.now += 999
    expect(['a/b', 'a/c', 'a/d'].map((name) => isFresh('t', name))).toEqual([true, true, true])
    clock.now += 1
    expect(['a/b', 'a/c', 'a/d'].map((name) => isFresh('t', name))).toEqual([true, false, false])
    expect(lookUp.known('t', 'a/c')).toEqual({ value: 'brief', isFresh: false })
  })

  it('is not fresh for longer when the clock is set back', async () => {
    const { clock, ask, isFresh } = setUp()
    await ask('t', 'a/b')
    clock.now -= 3_600_000
    expect(isFresh('t', 'a/b')).toBe(false)
  })

  it('is for one token and one repository', async () => {
    const { ask, isFresh } = setUp()
    await ask('t', 'a/b')
    expect([isFresh('u', 'a/b'), isFresh('t', 'a/c')]).toEqual([null, null])
  })

  it('that was not used for longest is dropped first', async () => {
    const { ask, isFresh } = setUp(2)
    await ask('t', 'a/1')
    await ask('t', 'a/2')
    isFresh('t', 'a/1')
    await ask('t', 'a/3')
    expect([isFresh('t', 'a/1'), isFresh('t', 'a/2'), isFresh('t', 'a/3')]).toEqual([true, null, true])
  })

  it('is asked for once by callers at the same time, and again by later ones after a failure', async () => {
    const { lookUp, question } = setUp()
    let asked = 0
    const fail = async () => {
      asked++
      throw new Error('no answer')
    }
    const both = [lookUp.ask(question('t', 'a/b'), fail), lookUp.ask(question('t', 'a/b'), fail)]
    for (const one of both) await expect(one).rejects.toThrow('no answer')
    expect(asked).toBe(1)
    await expect(lookUp.ask(question('t', 'a/b'), fail)).rejects.toThrow('no answer')
    expect(asked).toBe(2)
  })

  it.each([
    ['a repository', (lookUp: LookUp<string>) => lookUp.forgetRepository(9n, [])],
    ['an owner', (lookUp: LookUp<string>) => lookUp.forgetOwner('other')],
    ['its token', (lookUp: LookUp<string>) => lookUp.forgetToken('t')],
  ])('goes to its callers alone where %s is forgotten meanwhile', async (_, forget) => {
    const { lookUp, question, ask, isFresh } = setUp()
    let resolve = (_: FoundAnswer<string>) => {}
    const answer = new Promise<FoundAnswer<string>>((answered) => {
      resolve = answered
    })
    const before = lookUp.ask(question('t', 'a/b'), () => answer)
    forget(lookUp)
    expect(await ask('t', 'a/b', { value: 'new' })).toBe('new')
    resolve({ value: 'old', requestedAt: 1_000_000, repositoryId: null, nameKeys: ['a/b'] })
    expect(await before).toBe('old')
    expect(lookUp.known('t', 'a/b')?.value).toBe('new')
    expect(isFresh('t', 'a/b')).toBe(true)
  })
})

describe('forgetting removes', () => {
  const names = ['acme/one', 'old/one', 'acme/two', 'acme/gone', 'other/three']

  async function filled() {
    const parts = setUp()
    for (const token of ['t', 'u']) {
      await parts.ask(token, 'acme/one', { repositoryId: 1n })
      await parts.ask(token, 'old/one', { repositoryId: 1n, nameKeys: ['old/one', 'acme/one'] })
      await parts.ask(token, 'acme/two', { repositoryId: 2n })
      await parts.ask(token, 'acme/gone')
      await parts.ask(token, 'other/three', { repositoryId: 3n })
    }
    return { ...parts, left: (token: string) => names.filter((name) => parts.isFresh(token, name)) }
  }

  it('everything of a token', async () => {
    const { lookUp, left } = await filled()
    lookUp.forgetToken('t')
    expect(left('t')).toEqual([])
    expect(left('u')).toEqual(names)
  })

  it('a repository by its id, under every name that was requested', async () => {
    const { lookUp, left } = await filled()
    lookUp.forgetRepository(1n, [])
    expect(left('t')).toEqual(['acme/two', 'acme/gone', 'other/three'])
    expect(left('u')).toEqual(left('t'))
  })

  it('what is not visible by its name', async () => {
    const { lookUp, left } = await filled()
    lookUp.forgetRepository(9n, ['acme/gone'])
    expect(left('t')).toEqual(['acme/one', 'old/one', 'acme/two', 'other/three'])
  })

  it('all repositories of an owner, also those requested under an older name', async () => {
    const { lookUp, left } = await filled()
    lookUp.forgetOwner('ACME')
    expect(left('t')).toEqual(['other/three'])
  })

  it('a repository that was requested under its former owner', async () => {
    const { lookUp, left } = await filled()
    lookUp.forgetOwner('old')
    expect(left('t')).toEqual(['acme/one', 'acme/two', 'acme/gone', 'other/three'])
  })

  it('no other owner whose name starts with the same letters', async () => {
    const { lookUp, left } = await filled()
    lookUp.forgetOwner('acm')
    expect(left('t')).toEqual(names)
  })

  it('all repositories of a large owner', async () => {
    const { lookUp, ask } = setUp(1_000)
    for (let i = 0; i < 1_000; i++) await ask('t', `acme/${i}`)
    lookUp.forgetOwner('acme')
    expect(lookUp.size()).toBe(0)
  })
})

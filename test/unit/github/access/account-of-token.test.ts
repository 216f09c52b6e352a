import { describe, expect, it } from 'vitest'
import { createAccessSender } from '../../../../src/service/github/access/access-sender.ts'
import { createAccountsOfTokens } from '../../../../src/service/github/access/account-of-token.ts'
import { createTokenGuard } from '../../../../src/service/github/access/token-guard.ts'
import { createTokenStates } from '../../../../src/service/github/access/token-states.ts'
import type { GithubResponse } from '../../../../src/service/github/github-response.ts'
import { createRateLimits } from '../../../../src/service/github/rate-limits.ts'
import { createFairLimit } from '../../../../src/service/lib/fair-limit.ts'
import { silentLog } from '../../../support/log.ts'

const user = (body: unknown, status = 200): GithubResponse => ({ kind: 'response', status, headers: {}, body })
const alice = { id: 7n, login: 'alice' }

function setUp(isOn = true) {
  const clock = { now: 1_000_000 }
  const github = { asked: [] as string[], answer: user({ id: 7, login: 'alice' }) as GithubResponse | Promise<never> }
  const now = () => clock.now
  const limit = createFairLimit({ slots: 2, waiting: 2, waitMs: 1_000, refusal: () => new Error('too many') })
  const tokens = createTokenStates({ tokens: 100, now })
  const rateLimits = createRateLimits({ entries: 100, now })
  const slot = { everyMs: 0, waiting: 0, waitMs: 0 }
  const guard = createTokenGuard({
    tokens,
    rateLimits,
    rejectedPerMinute: 20,
    networks: 10,
    slot,
    onRejected() {},
    now,
  })
  const client = {
    async readUser(token: string) {
      github.asked.push(token)
      return await github.answer
    },
  }
  const sender = createAccessSender({ guard, limit, rateLimits, log: silentLog, now })
  const accounts = createAccountsOfTokens({ client, guard, sender, tokens, limit, isOn, entries: 100, now })
  return { clock, github, accounts }
}

describe('the account of a token', () => {
  it('is unknown until GitHub has answered', async () => {
    const { accounts } = setUp()
    const learned = accounts.loadAccount('t')
    expect(accounts.accountOf('t')).toBeNull()
    await learned
    expect(accounts.accountOf('t')).toEqual(alice)
    expect(accounts.accountOf('other')).toBeNull()
  })

  it('is read once per token and hour, and kept meanwhile', async () => {
    const { accounts, github, clock } = setUp()
    await Promise.all([accounts.loadAccount('t'), accounts.loadAccount('t')])
    clock.now += 3_599_999
    await accounts.loadAccount('t')
    expect(github.asked).toEqual(['t'])
    clock.now += 1
    const learned = accounts.loadAccount('t')
    expect(accounts.accountOf('t')).toEqual(alice)
    await learned
    expect(github.asked).toEqual(['t', 't'])
  })

  it('is never read for an installation token', async () => {
    const { accounts, github } = setUp()
    await accounts.loadAccount('ghs_installation')
    expect(github.asked).toEqual([])
    expect(accounts.accountOf('ghs_installation')).toBeNull()
  })

  it('is never read where the operator turned that off', async () => {
    const { accounts, github } = setUp(false)
    await accounts.loadAccount('t')
    expect(github.asked).toEqual([])
    expect(accounts.accountOf('t')).toBeNull()
  })

  it.each<[string, GithubResponse]>([
    ['a 401', user({}, 401)],
    ['a 403', user({}, 403)],
    ['a 502', user({}, 502)],
    ['no answer', { kind: 'failure', reason: 'no answer' }],
    ['an answer without an id', user({ login: 'alice' })],
    ['an answer with the id 0', user({ id: 0, login: 'alice' })],
    ['a page', user('<html>')],
  ])('is unknown after %s, and read again after 10 minutes', async (_, answer) => {
    const { accounts, github, clock } = setUp()
    github.answer = answer
    await accounts.loadAccount('t')
    expect(accounts.accountOf('t')).toBeNull()
    github.answer = user({ id: 7, login: 'alice' })
    clock.now += 599_999
    await accounts.loadAccount('t')
    expect(accounts.accountOf('t')).toBeNull()
    clock.now += 1
    await accounts.loadAccount('t')
    expect(accounts.accountOf('t')).toEqual(alice)
    github.answer = answer
    clock.now += 3_600_000
    await accounts.loadAccount('t')
    expect(accounts.accountOf('t')).toEqual(alice)
  })

  it('is unknown to those who find the queue full', async () => {
    const { accounts, github } = setUp()
    github.answer = new Promise<never>(() => {})
    const pending = ['a', 'b', 'c', 'd', 'e', 'f'].map((token) => accounts.loadAccount(token))
    await Promise.any(pending)
    expect(github.asked).toHaveLength(2)
    expect(accounts.accountOf('f')).toBeNull()
  })
})

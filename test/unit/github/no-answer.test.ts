import { describe, expect, it } from 'vitest'
import { githubUnavailable } from '../../../src/service/github/access/access-errors.ts'
import { NoAnswer } from '../../../src/service/github/no-answer.ts'

const address = 'https://ghe.example/api/v3'
const failed = (cause: Error, code: string) => new TypeError('fetch failed', { cause: Object.assign(cause, { code }) })

describe('GitHub that does not answer', () => {
  it.each([
    ['ENOTFOUND', 'its name was not found (ENOTFOUND)'],
    ['EAI_AGAIN', 'its name was not found (EAI_AGAIN)'],
    ['ECONNREFUSED', 'it refuses connections (ECONNREFUSED)'],
    ['ECONNRESET', "it can't be reached (ECONNRESET)"],
    ['CERT_HAS_EXPIRED', 'its certificate has expired (CERT_HAS_EXPIRED)'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)'],
  ])('is told to callers with its address and why, and nothing else: %s', (code, why) => {
    const noAnswer = new NoAnswer(address, failed(new Error('connect to 10.0.0.7'), code))
    expect(githubUnavailable('secret', noAnswer).message).toBe(
      `GitHub, which decides who may see this repository, gave no usable answer at ${address}: ${why}.`,
    )
    expect(noAnswer.message).toBe(`${address}: connect to 10.0.0.7 (${code})`)
  })

  it('has a message for the log also after attempts at several addresses', () => {
    const attempts = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:80`))
    const { message } = new NoAnswer(address, failed(new AggregateError(attempts), 'ECONNREFUSED'))
    expect(message).toBe(`${address}: connect ECONNREFUSED ::1:80, connect ECONNREFUSED 127.0.0.1:80`)
  })

  it('is told without a cause where the answer is unusable for another reason', () => {
    const { message } = githubUnavailable('reason', new NoAnswer(address, new Error('the answer is too large')))
    expect(message).toMatch(/gave no usable answer at https:\/\/ghe\.example\/api\/v3\.$/)
  })
})

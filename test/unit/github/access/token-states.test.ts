import { describe, expect, it } from 'vitest'
import { createTokenStates } from '../../../../src/service/github/access/token-states.ts'

function statesOf(tokens = 100) {
  const clock = { now: 1_000_000 }
  return { clock, states: createTokenStates({ tokens, now: () => clock.now }) }
}

describe('the state of a token', () => {
  it('has a keyed hash as its key, with a secret of the process', () => {
    const { states } = statesOf()
    expect(states.keyOf('ghp_secret')).toBe(states.keyOf('ghp_secret'))
    expect(states.keyOf('ghp_secret')).not.toBe(states.keyOf('ghp_secreT'))
    expect(states.keyOf('ghp_secret')).not.toContain('secret')
    expect(statesOf().states.keyOf('ghp_secret')).not.toBe(states.keyOf('ghp_secret'))
  })

  it('is unknown at first', () => {
    const { states } = statesOf()
    expect([states.isRejected('t'), states.isAccepted('t')]).toEqual([false, false])
  })

  it('a rejection holds for 60 s', () => {
    const { clock, states } = statesOf()
    states.reject('t')
    clock.now += 59_999
    expect(states.isRejected('t')).toBe(true)
    clock.now += 1
    expect(states.isRejected('t')).toBe(false)
  })

  it('a rejection ends an acceptance, and a response to an older request does not restore it', () => {
    const { clock, states } = statesOf()
    states.accept('t')
    expect(states.isAccepted('t')).toBe(true)
    states.reject('t')
    states.accept('t')
    expect([states.isRejected('t'), states.isAccepted('t')]).toEqual([true, false])
    clock.now += 60_000
    expect(states.isAccepted('t')).toBe(false)
    states.accept('t')
    expect([states.isRejected('t'), states.isAccepted('t')]).toEqual([false, true])
  })

  it('of rejection does not last longer when the clock is set back', () => {
    const { clock, states } = statesOf()
    states.reject('t')
    clock.now -= 3_600_000
    expect(states.isRejected('t')).toBe(false)
  })

  it('is dropped for the least recently used token, if there are too many', () => {
    const { states } = statesOf(2)
    states.accept('a')
    states.accept('b')
    states.isAccepted('a')
    states.accept('c')
    expect(['a', 'b', 'c'].map(states.isAccepted)).toEqual([true, false, true])
  })
})

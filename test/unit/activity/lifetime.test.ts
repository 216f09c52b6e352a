import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extendedExpiry, firstExpiry } from '../../../src/service/records/activity/lifetime.ts'

const duration = fc.integer({ min: 60_000, max: 2_592_000_000 })
const lifetimes = fc.record({ activity_ttl_ms: duration, max_activity_ttl_ms: fc.option(duration) })
const start = new Date('2026-11-20T09:30:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)

describe('the expiry of an activity', () => {
  it('is the lifetime after creation', () => {
    expect(firstExpiry(start, { activity_ttl_ms: 86_400_000, max_activity_ttl_ms: null })).toEqual(later(86_400_000))
  })

  it('is the cap if the cap is shorter', () => {
    expect(firstExpiry(start, { activity_ttl_ms: 86_400_000, max_activity_ttl_ms: 60_000 })).toEqual(later(60_000))
  })

  it('is the lifetime after a heartbeat', () => {
    const activity = { created_at: start, expires_at: later(100_000) }
    const settings = { activity_ttl_ms: 100_000, max_activity_ttl_ms: null }
    expect(extendedExpiry(activity, later(40_000), settings)).toEqual(later(140_000))
  })

  it('is never earlier after a heartbeat, even if the settings changed', () => {
    fc.assert(
      fc.property(lifetimes, duration, duration, (settings, expires, now) => {
        const activity = { created_at: start, expires_at: later(expires) }
        return extendedExpiry(activity, later(now), settings) >= activity.expires_at
      }),
    )
  })

  it('is never after the cap', () => {
    fc.assert(
      fc.property(lifetimes, fc.array(duration), (settings, heartbeats) => {
        let expires_at = firstExpiry(start, settings)
        for (const at of heartbeats) expires_at = extendedExpiry({ created_at: start, expires_at }, later(at), settings)
        return expires_at.getTime() <= start.getTime() + (settings.max_activity_ttl_ms ?? Number.POSITIVE_INFINITY)
      }),
    )
  })
})

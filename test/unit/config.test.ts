import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../src/config.ts'

function faultsOf(environ: Record<string, string>): string[] {
  try {
    loadConfig(environ)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

describe('the settings of the service', () => {
  it.each(['-5', '1e3', '1.5', ' 7', '0x10'])('say of %j how a number is written, and from where on', (value) => {
    expect(faultsOf({ HEADSUP_RETENTION_MS: value })).toEqual([
      'HEADSUP_RETENTION_MS: must be a whole number in plain digits, 1000 or more',
    ])
  })

  it('take no port twice, but any two that the system chooses', () => {
    expect(faultsOf({ PORT: '4120', METRICS_PORT: '4120' })).toEqual(['METRICS_PORT: must be another port than PORT'])
    expect(faultsOf({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT: must be another port than PORT'])
    expect(faultsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([])
  })

  it('warn of a name that is none of theirs, and leave those of the command line alone', () => {
    const { warnings } = loadConfig({ HEADSUP_RATELIMIT: '9', HEADSUP_URL: 'http://a', HEADSUP_HOOK_LIMIT_MS: '900' })
    expect(warnings).toEqual(['HEADSUP_RATELIMIT is not a setting of Headsup and is ignored'])
  })
})

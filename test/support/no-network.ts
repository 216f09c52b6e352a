import nock from 'nock'
import { afterEach, expect } from 'vitest'

// Allows only this machine, and expects that every prepared response was used.
nock.disableNetConnect()
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[?::1\]?)(:\d+)?$/)

afterEach(() => {
  const pending = nock.pendingMocks()
  nock.cleanAll()
  expect(pending).toEqual([])
})

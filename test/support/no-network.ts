import nock from 'nock'
import { afterEach, expect } from 'vitest'

// Nothing but this machine is reached, and every answer that a test prepared has been asked for.
nock.disableNetConnect()
nock.enableNetConnect(/^(127\.0\.0\.1|localhost|\[?::1\]?)(:\d+)?$/)

afterEach(() => {
  const pending = nock.pendingMocks()
  nock.cleanAll()
  expect(pending).toEqual([])
})

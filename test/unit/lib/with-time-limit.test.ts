import { describe, expect, it } from 'vitest'
import { withTimeLimit } from '../../../src/service/lib/with-time-limit.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'

const limit = { ms: 50, reason: 'too late' }
const long = { ...limit, ms: 2 ** 31 - 1 }

/** Settles when the signal aborts. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('the time limit of work', () => {
  it('aborts its signal with the reason, also after memory was freed', async () => {
    const work = withTimeLimit({ ...limit, outer: new AbortController().signal }, untilAborted)
    await collectGarbage()
    await expect(work).rejects.toThrow('too late')
  })

  it('aborts with the reason of the outer signal', async () => {
    const outer = new AbortController()
    const work = withTimeLimit({ ...long, outer: outer.signal }, untilAborted)
    outer.abort(new Error('stopped'))
    await expect(work).rejects.toThrow('stopped')
    const late = withTimeLimit({ ...long, outer: outer.signal }, async (signal) => signal.throwIfAborted())
    await expect(late).rejects.toThrow('stopped')
  })

  it('ends with the work: afterwards the signal never aborts', async () => {
    const outer = new AbortController()
    const signal = await withTimeLimit({ ...long, outer: outer.signal }, async (inner) => inner)
    outer.abort()
    expect(signal.aborted).toBe(false)
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendHttp } from '../../../../src/cli/client/service/http.ts'
import { Failure, ServiceAway } from '../../../../src/cli/failure.ts'
import { startSilentService } from '../../../support/silent-service.ts'

/** The error of a request to a service that never responds, which is cut off by the signal. */
async function failureOf(signal: AbortSignal): Promise<unknown> {
  const { url, stop } = await startSilentService()
  onTestFinished(stop)
  return sendHttp({ method: 'GET', url: new URL(url), signal }).catch((error: unknown) => error)
}

describe('a request without a response', () => {
  it('means that the service is away after it had time to respond', async () => {
    const controller = new AbortController()
    const failure = failureOf(controller.signal)
    await sleep(1_000)
    controller.abort()
    expect(await failure).toBeInstanceOf(ServiceAway)
  })

  it('says nothing about the service where no time was left for it', async () => {
    const failure = await failureOf(AbortSignal.abort())
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).not.toBeInstanceOf(ServiceAway)
    expect((failure as Failure).message).toMatch(/^no time was left for http:.* to respond\.$/)
  })

  it('means that the service is away where the connection is refused', async () => {
    const { url, stop } = await startSilentService()
    stop()
    const { signal } = new AbortController()
    const failure = sendHttp({ method: 'GET', url: new URL(url), signal })
    await expect(failure).rejects.toBeInstanceOf(ServiceAway)
  })
})

import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'

const secret = 'a secret of the tests'
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
})

/** The environment of a service with the App. */
export const appEnvironment = { APP_ID: '1', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: secret }

/** Delivers an event as GitHub does; signed, unless another signature is given. */
export async function deliver(
  { url }: { url: string },
  event: string,
  payload: object,
  headers: Record<string, string> = {},
): Promise<number> {
  const body = JSON.stringify(payload)
  const response = await fetch(`${url}/api/github/webhooks`, {
    ...{ method: 'POST', body },
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ...headers,
    },
  })
  return response.status
}

import { generateKeyPairSync } from 'node:crypto'
import type { App } from './data.ts'
import { nextId } from './ids.ts'

/** The permissions of `app.yml`. */
const appGrants = { metadata: 'read', contents: 'read', pull_requests: 'read', checks: 'write' } as const

let keys: { publicKey: string; privateKey: string } | undefined

/** Generated once and only if needed: it is slow, and most tests sign nothing. */
function madeKeys() {
  keys ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return keys
}

/** A new App without installations. */
export function newApp(now: number): App {
  return {
    id: nextId(),
    slug: 'headsup',
    name: 'Headsup',
    owner: 'acme',
    get publicKey() {
      return madeKeys().publicKey
    },
    get privateKey() {
      return madeKeys().privateKey
    },
    webhookSecret: 'a secret of the tests',
    clientSecret: 'a client secret of the tests',
    hookUrl: null,
    permissions: appGrants,
    events: ['check_run', 'check_suite', 'delete', 'pull_request', 'push', 'repository'],
    createdAt: new Date(now),
  }
}

import { generateKeyPairSync } from 'node:crypto'
import { nextId } from './ids.ts'
import type { App } from './world.ts'

/** As `app.yml` asks for them, and the events too. */
const appGrants = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const

let keys: { publicKey: string; privateKey: string } | undefined

/** Made when they are wanted, and once: it takes long, and most tests sign nothing. */
function madeKeys() {
  keys ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return keys
}

/** Installed nowhere yet. */
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
    hookUrl: null,
    permissions: appGrants,
    events: ['delete', 'pull_request', 'push', 'repository'],
    createdAt: new Date(now),
  }
}

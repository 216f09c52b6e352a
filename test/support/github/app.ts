import { generateKeyPairSync } from 'node:crypto'
import { nextId } from './ids.ts'
import type { App } from './world.ts'

const appGrants = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const

/** An App with a key of its own. */
export function newApp(now: number): App {
  let keys: { publicKey: string; privateKey: string } | undefined
  // Made when it is wanted: it takes long, and most tests sign nothing.
  const made = () => {
    keys ??= generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    return keys
  }
  return {
    id: nextId(),
    slug: 'headsup',
    name: 'Headsup',
    owner: 'acme',
    get publicKey() {
      return made().publicKey
    },
    get privateKey() {
      return made().privateKey
    },
    webhookSecret: 'a secret of the tests',
    hookUrl: null,
    permissions: appGrants,
    createdAt: new Date(now),
  }
}

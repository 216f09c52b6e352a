import { readFileSync } from 'node:fs'

/** What the bundle holds: its version, and the address of the service that handed it out. Set by scripts/bundle-cli.mjs. */
declare const BUNDLED_FACTS: { version: string; address: string } | undefined

const facts = typeof BUNDLED_FACTS === 'undefined' ? undefined : BUNDLED_FACTS

/** The version of the bundled command line; undefined if it runs from its package. */
export const bundledVersion = facts?.version

/** The address of the service that handed out this file; undefined if it comes from elsewhere. */
export const bundledAddress = facts?.address.startsWith('http') ? facts.address : undefined

/** The version of this command line. */
export function ownVersion(): string {
  return bundledVersion ?? JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

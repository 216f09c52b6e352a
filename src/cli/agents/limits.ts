import type { Moment } from './hosts.ts'

/** How long an agent waits, in ms. */
export const limitsMs: Readonly<Record<Moment, number>> = { 'session-start': 4_000, 'after-tool': 1_500 }

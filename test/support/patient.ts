import { minute } from './clock.ts'
import type { TestServiceOptions } from './service.ts'

const wait = { waitMs: minute, longWaitMs: minute }

/** A service that refuses nothing because it had to wait, however slow the machine is. */
export const patient = {
  bounds: { requests: wait, deliveries: wait },
  database: { connectionMs: minute },
  githubLimits: { requestMs: minute },
} satisfies TestServiceOptions

import type { Log } from '../../src/lib/log.ts'

const nothing = () => {}

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

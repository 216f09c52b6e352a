import type { Log } from '../../src/service/lib/log.ts'

const nothing = () => {}

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

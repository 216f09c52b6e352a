import { TypeID } from 'typeid-js'
import { V7Generator } from 'uuidv7'

export type IdPrefix = 'act' | 'ntb'

const generator = new V7Generator()
const clockTolerance = 10_000
let lastTime = 0

/**
 * A new id: the prefix and a UUIDv7 of the time in Crockford base 32 (a TypeID). Ids strictly increase within the process,
 * even if the clock is set back, so ids sort by creation (docs/rules.md#identifiers).
 */
export function newId(prefix: IdPrefix, at: Date = new Date()): string {
  lastTime = Math.max(at.getTime(), lastTime)
  return TypeID.fromUUIDBytes(prefix, generator.generateOrResetCore(lastTime, clockTolerance).bytes).toString()
}

/** Whether the text has the form of an id with this prefix. Other texts need no look-up in the database. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
}

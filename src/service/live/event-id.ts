import type { Position } from './change-log.sql.ts'

/** How long the id of an event is at most. */
const mostCharacters = 256

/**
 * The id of an event: `<epoch>.<token>`. The token is the position, as the differences of its transaction ids in hexadecimal. A
 * stream that shows no observed work can't go on from one that does. A client whose position is too long gets a snapshot.
 */
export function eventId({ epoch, snapshot }: Position, { seesObservedWork }: { seesObservedWork: boolean }): string {
  const [xmin = '', xmax = '', open = ''] = snapshot.split(':')
  const ids = [xmin, ...(open === '' ? [] : open.split(',')), xmax].map(BigInt)
  const differences = ids.map((id, index) => (id - (ids[index - 1] ?? 0n)).toString(16))
  const id = `${epoch}.${seesObservedWork ? 'a' : 'r'}-${differences.join('-')}`
  return id.length > mostCharacters ? `${epoch}.long` : id
}

/** The position of an id that `eventId` returned for such a stream; undefined for anything else. */
export function positionOf(
  id: string | undefined,
  { seesObservedWork }: { seesObservedWork: boolean },
): Position | undefined {
  const pattern = /^([0-9a-f]{16})\.([ar])((?:-[0-9a-f]{1,15}){2,})$/
  const [, epoch, kind, differences] = (id !== undefined && id.length <= mostCharacters && pattern.exec(id)) || []
  if (epoch === undefined || differences === undefined || kind !== (seesObservedWork ? 'a' : 'r')) return undefined
  let last = 0n
  const ids = differences
    .slice(1)
    .split('-')
    .map((difference) => {
      last += BigInt(`0x${difference}`)
      return last
    })
  const [xmin = 0n, ...open] = ids
  const xmax = open.pop() ?? 0n
  // PostgreSQL refuses others, and those whose lower half is 0.
  const isValid =
    [xmin, xmax].every((id) => BigInt.asUintN(32, id) > 0n) && open.every((id) => id < xmax) && xmax < 2n ** 63n
  return isValid ? { epoch, snapshot: `${xmin}:${xmax}:${open}` } : undefined
}

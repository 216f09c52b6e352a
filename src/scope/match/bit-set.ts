/** Below this number of members, setting bit after bit is faster than going through bytes. */
const FEW = 8

/** The set of these numbers, all below `size`, as the bits of one number. */
export function bitSet(members: readonly number[], size: number): bigint {
  if (members.length <= FEW) return members.reduce((set, member) => set | (1n << BigInt(member)), 0n)
  const bytes = new Uint8Array((size >>> 3) + 1)
  for (const member of members) {
    const at = bytes.length - 1 - (member >>> 3)
    bytes[at] = (bytes[at] ?? 0) | (1 << (member & 7))
  }
  return BigInt(`0x${Buffer.from(bytes.buffer).toString('hex')}`)
}

/** The least member of a set that is not empty. */
export function leastMember(set: bigint): number {
  return (set & -set).toString(2).length - 1
}

/**
 * Adds to a set, within each block of neighbouring numbers, all numbers from the first member on. `ends` holds the last
 * number of each block. The end less the members before it leaves ones behind the first member and zeros before it; one
 * subtraction does this for all blocks, as none borrows from the next.
 */
export function fillToEnds(set: bigint, ends: bigint): bigint {
  return set | ((ends - (set ^ (set & ends))) ^ ends)
}

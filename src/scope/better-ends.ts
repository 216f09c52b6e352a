import { type GroupedShape, type Part, withStars } from './smallest-net.ts'

/** By how much one end has to be shared more for reading from it against the gaps. */
const FAR_FEWER = 0.75

/** With so many fewer nodes it is worth while to lay out for both ends what shapes are read against. */
const NODES_TO_PART = 500

/** Several times as many as there are characters to a glob. */
const HASH_BITS = 14

/** What is known of the stretches of a hash: that a shape begins or ends with one. */
const [BEGUN, ENDED] = [1, 2]

/** Items and stars that a shape can have: the characters of a glob. */
const LONGEST = 1024

/** From which end which shapes are read, and about how many nodes nets of them have then. */
export interface Ends {
  readonly parts: readonly Part[]
  readonly nodes: number
}

/**
 * The end from which gaps are late, unless from the other the shapes share far more. Where some share what they begin with
 * and some what they end with, each of them from that end.
 */
export function betterEnds(shapes: readonly GroupedShape[], gapsAreLate: boolean): Ends {
  const [ahead, back] = [newNodes(shapes, 1), newNodes(shapes, -1)]
  let [sumAhead, sumBack, sumApart] = [0, 0, NODES_TO_PART]
  for (let i = 0; i < shapes.length; i++) {
    const [here, there] = [ahead[i] ?? 0, back[i] ?? 0]
    sumAhead += here
    sumBack += there
    sumApart += Math.min(here, there)
  }
  const turned = gapsAreLate ? sumBack < FAR_FEWER * sumAhead : FAR_FEWER * sumBack < sumAhead
  const nodes = turned ? sumBack : sumAhead
  if (nodes <= sumApart) return { parts: [{ shapes, turned }], nodes }
  const isTurned = (i: number) => (back[i] ?? 0) < (ahead[i] ?? 0)
  const part = (turned: boolean) => ({ shapes: shapes.filter((_, i) => isTurned(i) === turned), turned })
  return { parts: [part(false), part(true)], nodes: sumApart }
}

/**
 * About how many nodes each of the shapes adds to a net that is read from this end: stretches that it begins with, alike
 * ones counted once, less those from which on it is like another of its group. Those whose hashes fall together count once too.
 */
function newNodes(shapes: readonly GroupedShape[], step: 1 | -1): number[] {
  const known = new Uint8Array(2 ** HASH_BITS)
  const isAlike = new Uint8Array(LONGEST)
  return shapes.map(({ line, group }) => {
    const signs = withStars(line)
    let count = 0
    const [first, behind] = step > 0 ? [0, signs.length] : [signs.length - 1, -1]
    let hash = Math.imul(group + 1, 0x85ebca6b)
    for (let i = behind - step; i !== first - step; i -= step) {
      const place = hash >>> (32 - HASH_BITS)
      const before = known[place] ?? 0
      isAlike[i] = before & ENDED
      known[place] = before | ENDED
      hash = mixed(hash, signs[i] ?? 0)
    }
    hash = Math.imul(line.jumps.length, 0x85ebca6b)
    for (let i = first; i !== behind; i += step) {
      hash = mixed(hash, signs[i] ?? 0)
      const place = hash >>> (32 - HASH_BITS)
      const before = known[place] ?? 0
      if ((before & BEGUN) === 0 && isAlike[i] === 0) count++
      known[place] = before | BEGUN
    }
    return count
  })
}

function mixed(hash: number, item: number): number {
  const mixed = Math.imul(hash ^ item, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

import { getOrCreate } from '../lib/maps.ts'
import type { Jump, JumpingLine } from './track.ts'

/** A place of one line or of many. */
export interface Node {
  readonly gap: boolean
  /** In turn the number of a label, or END, and of the node to which it leads. */
  readonly ways: readonly number[]
}

/** Many lines as one: what they begin alike with, and what lines of one group end alike with, is there once. */
export interface Net<L> {
  /** First one for each group, where its lines end; each before the nodes that lead to it. */
  readonly nodes: readonly Node[]
  readonly starts: readonly number[]
  readonly labels: readonly L[]
}

/** A line, and which it is one of: of all lines of a group together it is asked what they reach. */
export interface GroupedLine<T, J> {
  readonly line: JumpingLine<T, J>
  readonly group: number
}

/** In place of a label: leads on by nothing. */
export const END = -1

/**
 * Puts the lines together, one after the other: where a line does not begin alike with the next one, its places are done,
 * and are looked up from its end on. Alternatives come in an order in which those that begin alike are neighbours.
 */
export function netOf<T, J>(lines: readonly GroupedLine<T, J>[], groups: number): Net<T | J> {
  const { nodes, nodeOf } = nodesOf(groups)
  const starts: number[] = []
  const labels = new Map<T | J, number>()
  const open: (number[] | undefined)[] = []
  const add = (place: number, by: T | J, to: number) => {
    const label = getOrCreate(labels, by, () => labels.size)
    const ways = open[place]
    if (ways === undefined) open[place] = [label, to]
    else ways.push(label, to)
  }
  const close = ({ items, gaps, jumps = [] }: JumpingLine<T, J>, downTo: number) => {
    let [gap, jump] = [gaps.length - 1, jumps.length - 1]
    for (let place = items.length; place > downTo; place--) {
      const gapped = gaps[gap] === place
      if (gapped) gap--
      const node = nodeOf(gapped, open[place] ?? [])
      open[place] = undefined
      const item = items[place - 1]
      if (item === undefined) starts.push(node)
      else add(place - 1, item, node)
      for (let last = jumps[jump]; last?.to === place; last = jumps[--jump]) add(last.from, last.by, node)
    }
  }
  let before: JumpingLine<T, J> | null = null
  for (const { line, group } of lines) {
    if (before !== null) close(before, sharedPlace(before, line))
    const end = line.items.length
    open[end] = [...(open[end] ?? []), END, group]
    before = line
  }
  if (before !== null) close(before, -1)
  return { nodes, starts, labels: Array.from(labels.keys()) }
}

/** Nodes that are there once: first one for each group, where its lines end. */
function nodesOf(groups: number) {
  const nodes: Node[] = Array.from({ length: groups }, () => ({ gap: false, ways: [] }))
  /** For each node the first whose first way leads to it: most often the only one. 0 is none, as it leads nowhere. */
  const firstInto = new Array<number>(groups).fill(0)
  /** The last of the others with the same first way, and for each node the one of them before it. */
  const lastWith = new Map<number, number>()
  const sameBefore = new Array<number>(groups).fill(0)
  const isThere = (n: number, gap: boolean, ways: readonly number[]) => {
    const node = nodes[n]
    return node?.gap === gap && sameWays(node.ways, ways)
  }
  const nodeOf = (gap: boolean, ways: readonly number[]): number => {
    const made = nodes.length
    const to = ways[1] ?? 0
    const first = firstInto[to] ?? 0
    let before = 0
    if (first === 0) firstInto[to] = made
    else {
      if (isThere(first, gap, ways)) return first
      const way = (ways[0] ?? 0) * 2 ** 16 + to
      before = lastWith.get(way) ?? 0
      for (let n = before; n !== 0; n = sameBefore[n] ?? 0) if (isThere(n, gap, ways)) return n
      lastWith.set(way, made)
    }
    nodes.push({ gap, ways })
    firstInto.push(0)
    sameBefore.push(before)
    return made
  }
  return { nodes, nodeOf }
}

function sameWays(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** The last place up to which two lines read alike, and before the end of a bracket that only one has; -1 where one begins with a gap. */
function sharedPlace<T, J>(a: JumpingLine<T, J>, b: JumpingLine<T, J>): number {
  let place = 0
  for (let gap = 0; ; place++) {
    const gapped = a.gaps[gap] === place
    if (gapped !== (b.gaps[gap] === place)) {
      place--
      break
    }
    if (gapped) gap++
    if (place >= a.items.length || a.items[place] !== b.items[place]) break
  }
  const [jumpsA, jumpsB] = [a.jumps ?? [], b.jumps ?? []]
  let alike = 0
  while (alike < jumpsA.length && sameJump(jumpsA[alike], jumpsB[alike])) alike++
  return Math.min(place, (jumpsA[alike]?.to ?? Infinity) - 1, (jumpsB[alike]?.to ?? Infinity) - 1)
}

function sameJump<J>(a: Jump<J> | undefined, b: Jump<J> | undefined): boolean {
  return a?.from === b?.from && a?.to === b?.to && a?.by === b?.by
}

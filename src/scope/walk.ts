import type { JumpingLine } from './track.ts'

/** One thing that fits both lines: the item or class of each that takes it, null where it falls into a gap. */
export interface Step<T> {
  readonly x: T | null
  readonly y: T | null
}

export interface Walk<T> {
  readonly steps: readonly Step<T>[]
  /** How many steps precede a place where both lines have a gap: anything may be put there. */
  readonly spaces: ReadonlySet<number>
}

interface Edge<T> {
  readonly from: number
  readonly by: T
}

/**
 * A way through both lines, from their ends back to their starts over pairs of places that are reached. It goes through
 * both lines at once where it can, which makes it short, and takes a bracket for a name unless it looks like a class.
 */
export function walk<T, J = never>(
  a: JumpingLine<T, J>,
  b: JumpingLine<T, J>,
  reached: (i: number, j: number) => boolean,
  meets: (x: T | J, y: T | J) => boolean,
): Walk<T | J> {
  const steps: Step<T | J>[] = []
  const spaces: number[] = []
  let [i, j] = [a.items.length, b.items.length]
  for (;;) {
    const [gapA, gapB] = [a.gaps.includes(i), b.gaps.includes(j)]
    if (gapA && gapB) spaces.push(steps.length)
    if (i === 0 && j === 0) break
    const [intoA, intoB] = [edgesInto(a, i), edgesInto(b, j)]
    const both = intoA
      .flatMap((x) => intoB.map((y) => ({ x, y })))
      .find(({ x, y }) => reached(x.from, y.from) && meets(x.by, y.by))
    const x = both?.x ?? (gapB ? intoA.find(({ from }) => reached(from, j)) : undefined)
    const y = both?.y ?? (x === undefined && gapA ? intoB.find(({ from }) => reached(i, from)) : undefined)
    if (x === undefined && y === undefined) throw new Error('The ends of the two lines are not reached together.')
    steps.push({ x: x?.by ?? null, y: y?.by ?? null })
    i = x?.from ?? i
    j = y?.from ?? j
  }
  return { steps: steps.reverse(), spaces: new Set(spaces.map((before) => steps.length - before)) }
}

function edgesInto<T, J>({ items, jumps = [] }: JumpingLine<T, J>, place: number): Edge<T | J>[] {
  const item = items[place - 1]
  const step = item === undefined ? [] : [{ from: place - 1, by: item }]
  const jump = jumps.find(({ to }) => to === place)
  if (jump === undefined) return step
  const leap = { from: jump.from, by: jump.by }
  return jump.likely ? [leap, ...step] : [...step, leap]
}

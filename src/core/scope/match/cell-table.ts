import type { SequenceWithShortcuts, Shortcut } from './wildcard-sequence.ts'

/** The pairs of places (one of each sequence) that some input reaches from both starts. */
export interface CellTable {
  isReached(i: number, j: number): boolean
}

/**
 * Fills the table of reached cells from the start. Under a star of one sequence, each item of the other leads on. Each item
 * must match something.
 */
export function fillCells<T>(
  a: SequenceWithShortcuts<T>,
  b: SequenceWithShortcuts<T>,
  itemsIntersect: (x: T, y: T) => boolean,
): CellTable {
  const width = b.items.length + 1
  const cells = new Uint8Array((a.items.length + 1) * width)
  const [shortcutsOfA, shortcutsOfB] = [shortcutsFrom(a), shortcutsFrom(b)]
  const [starsOfA, starsOfB] = [starsAt(a), starsAt(b)]
  cells[0] = 1
  for (let i = 0; i <= a.items.length; i++) {
    const x = a.items[i]
    const pastX = shortcutsOfA[i]
    const starOfA = starsOfA[i] === 1
    const row = i * width
    for (let j = 0; j < width; j++) {
      if (cells[row + j] === 0) continue
      const y = b.items[j]
      if (starOfA && y !== undefined) cells[row + j + 1] = 1
      if (x !== undefined) {
        if (starsOfB[j] === 1) cells[row + width + j] = 1
        const next = row + width + j + 1
        if (y !== undefined && cells[next] === 0 && itemsIntersect(x, y)) cells[next] = 1
      }
      const pastY = shortcutsOfB[j]
      if (pastX === undefined && pastY === undefined) continue
      if (starOfA && pastY) cells[row + pastY.to] = 1
      if (pastX && starsOfB[j] === 1) cells[pastX.to * width + j] = 1
      if (pastX && y !== undefined && itemsIntersect(pastX.item, y)) cells[pastX.to * width + j + 1] = 1
      if (pastY && x !== undefined && itemsIntersect(x, pastY.item)) cells[row + width + pastY.to] = 1
      if (pastX && pastY && itemsIntersect(pastX.item, pastY.item)) cells[pastX.to * width + pastY.to] = 1
    }
  }
  return { isReached: (i, j) => cells[i * width + j] === 1 }
}

function shortcutsFrom<T>({ items, shortcuts = [] }: SequenceWithShortcuts<T>): (Shortcut<T> | undefined)[] {
  const found = new Array<Shortcut<T> | undefined>(items.length + 1).fill(undefined)
  for (const shortcut of shortcuts) found[shortcut.from] = shortcut
  return found
}

function starsAt<T>({ items, stars }: SequenceWithShortcuts<T>): Uint8Array {
  const found = new Uint8Array(items.length + 1)
  for (const star of stars) found[star] = 1
  return found
}

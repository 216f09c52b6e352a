import { collectNow } from '../../support/collect-garbage.ts'

/** In bytes, of what is still in use. */
export function heapUsed(): number {
  // What waits for a finalizer goes with the second.
  collectNow()
  collectNow()
  return process.memoryUsage().heapUsed
}

/** The n-th name of so many letters; in `wide`, of so many Chinese characters. */
export function nameOf(n: number, characters: number, wide = false): string {
  const [first, count] = wide ? [0x4e00, 20_000] : [0x61, 26]
  return Array.from({ length: characters }, (_, at) =>
    String.fromCharCode(first + (Math.floor(n / count ** at) % count)),
  ).join('')
}

/** The n-th such lot of pieces. */
export function lotOf(n: number, pieces: number, piece: (n: number) => string): string[] {
  return Array.from({ length: pieces }, (_, at) => piece(n * pieces + at))
}

/** Globs that take much memory, by their number. No two have segments in common. */
export const largeGlobs: Record<string, (n: number) => string> = {
  'two characters of two bytes a segment': (n) => lotOf(n, 340, (at) => nameOf(at, 2, true)).join('/'),
  'stars between letters': (n) => lotOf(n, 120, (at) => nameOf(at, 4).split('').join('*')).join('/'),
  'many alternatives': (n) => `{${lotOf(n, 200, (at) => nameOf(at, 4))}}`,
  'a bracket a segment': (n) => lotOf(n, 170, (at) => `[${nameOf(at, 3)}]`).join('/'),
  'brackets in a row': (n) => `${nameOf(n, 4)}${'[ab]'.repeat(240)}`,
}

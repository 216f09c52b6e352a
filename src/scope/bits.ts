import { listed } from '../remembered.ts'

/** Sets of small numbers as bits, 32 to a word. */
export function setBit(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

export function hasBit(bits: Uint32Array, place: number): boolean {
  return (((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
}

/** The first number of a word that is not empty. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** The first number that all of the sets hold, or -1. */
export function firstCommon(a: Uint32Array, b: Uint32Array, c: Uint32Array = b): number {
  for (let w = 0; w < a.length; w++) {
    const bits = (a[w] ?? 0) & (b[w] ?? 0) & (c[w] ?? 0)
    if (bits !== 0) return w * 32 + lowestBit(bits)
  }
  return -1
}

/** The numbers that the set holds, ascending. */
export function numbersOf(bits: Uint32Array): number[] {
  const numbers: number[] = []
  for (let w = 0; w < bits.length; w++) {
    for (let rest = bits[w] ?? 0; rest !== 0; rest &= rest - 1) numbers.push(w * 32 + lowestBit(rest))
  }
  return numbers
}

/** A set of numbers to be put in or taken out of others: as numbers, or as bits where that is fewer words. */
export type Part = readonly number[] | Uint32Array

export function partOf(numbers: readonly number[], words: number): Part {
  return numbers.length <= words ? numbers : bitsOf(numbers, words)
}

/** Puts in what is not there, and takes out what is. */
export function toggleAll(bits: Uint32Array, part: Part): void {
  if (part instanceof Uint32Array) {
    for (let w = 0; w < bits.length; w++) bits[w] = (bits[w] ?? 0) ^ (part[w] ?? 0)
  } else {
    for (let i = 0; i < part.length; i++) {
      const number = part[i] ?? 0
      bits[number >>> 5] = (bits[number >>> 5] ?? 0) ^ (1 << (number & 31))
    }
  }
}

export function bitsOf(numbers: readonly number[], words: number): Uint32Array {
  const bits = new Uint32Array(words)
  for (const number of numbers) setBit(bits, number)
  return bits
}

/** The sets with those that are the same as the same object. */
export function alikeOnce(sets: readonly Uint32Array[]): readonly Uint32Array[] {
  const known = new Map<number, Uint32Array[]>()
  return sets.map((bits) => {
    const alike = listed(known, hashOf(bits))
    const found = alike.find((other) => sameBits(other, bits))
    if (found === undefined) alike.push(bits)
    return found ?? bits
  })
}

/** For each number below `count`, which of the sets hold it. Quick where many of them are the same object. */
export function turnedOver(sets: readonly Uint32Array[], count: number): readonly Uint32Array[] {
  const words = (sets.length + 31) >>> 5
  const turned = Array.from({ length: count }, () => new Uint32Array(words))
  const placesOf = new Map<Uint32Array, number[]>()
  for (const [i, bits] of sets.entries()) listed(placesOf, bits).push(i)
  for (const [bits, places] of placesOf) {
    const part = partOf(places, words)
    for (let w = 0; w < bits.length; w++) {
      for (let rest = bits[w] ?? 0; rest !== 0; rest &= rest - 1) {
        const holders = turned[w * 32 + lowestBit(rest)]
        if (holders) toggleAll(holders, part)
      }
    }
  }
  return turned
}

function hashOf(bits: Uint32Array): number {
  let hash = 0
  for (let w = 0; w < bits.length; w++) hash = (Math.imul(hash, 31) + (bits[w] ?? 0)) | 0
  return hash
}

function sameBits(a: Uint32Array, b: Uint32Array): boolean {
  for (let w = 0; w < a.length; w++) if (a[w] !== b[w]) return false
  return true
}

/** Hands out empty sets of so many words each, many of one buffer: a buffer for each takes longer than filling it. */
export function setsOf(words: number): () => Uint32Array {
  let bits = new Uint32Array(0)
  let next = 0
  return () => {
    if (next === bits.length) {
      bits = new Uint32Array(16 * words)
      next = 0
    }
    next += words
    return bits.subarray(next - words, next)
  }
}

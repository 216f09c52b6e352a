import { getOrCreate, listFor } from '../../lib/maps.ts'
import { ANY, type CharacterMatcher, charactersIntersect, DOT, NOT_DOT } from '../glob/character.ts'
import type { CharacterSet } from '../glob/character-set.ts'
import { bitSet } from './bit-set.ts'
import type { Steps } from './wildcard-sequence.ts'

/** The states that a character leaves: for the next state, or past the own text of a bracket. */
export interface Moves {
  readonly next: bigint
  readonly shortcut: bigint
}

/** The states of an automaton by the characters that leave them. */
export class MoveTable {
  readonly #items = new StatesBy<number>()
  readonly #shortcuts = new StatesBy<CharacterSet>()
  readonly #moves = new Map<CharacterMatcher, Moves>()

  addItem(item: number, state: number): void {
    this.#items.add(item, state)
  }

  addShortcut(set: CharacterSet, state: number): void {
    this.#shortcuts.add(set, state)
  }

  /** The moves by a character that the matcher allows, found once. `size` is the number of states. */
  movesBy(matcher: CharacterMatcher, size: number, work: Steps): Moves {
    return getOrCreate(this.#moves, matcher, () => ({
      next: this.#next(matcher, size, work),
      shortcut: this.#shortcuts.statesWhere((set) => charactersIntersect(matcher, set), size, work),
    }))
  }

  #next(matcher: CharacterMatcher, size: number, work: Steps): bigint {
    const isCharacter = typeof matcher === 'number' && matcher >= 0
    if (!isCharacter) return this.#items.statesWhere((item) => charactersIntersect(matcher, item), size, work)
    work.steps += 50 + (size >>> 5)
    const states = (item: number) => this.#items.statesOf(item, size)
    return states(matcher) | states(ANY) | (matcher === DOT ? 0n : states(NOT_DOT))
  }
}

/** States by the characters that leave them. */
class StatesBy<K> {
  readonly #lists = new Map<K, number[]>()
  #count = 0
  #all: bigint | null = null

  add(key: K, state: number): void {
    listFor(this.#lists, key).push(state)
    this.#count++
  }

  statesOf(key: K, size: number): bigint {
    return bitSet(this.#lists.get(key) ?? [], size)
  }

  /** The states of the keys for which `accepts` says so. If that is most of them, the others are taken from all. */
  statesWhere(accepts: (key: K) => boolean, size: number, work: Steps): bigint {
    const [accepted, rejected]: [number[][], number[][]] = [[], []]
    let count = 0
    for (const [key, states] of this.#lists) {
      const isAccepted = accepts(key)
      const side = isAccepted ? accepted : rejected
      side.push(states)
      if (isAccepted) count += states.length
    }
    work.steps += 50 + (size >>> 4) + 2 * this.#lists.size + 2 * Math.min(count, this.#count - count)
    if (2 * count <= this.#count) return bitSet(accepted.flat(), size)
    this.#all ??= bitSet([...this.#lists.values()].flat(), size)
    return this.#all ^ bitSet(rejected.flat(), size)
  }
}

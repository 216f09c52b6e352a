import type { CharacterMatcher } from '../glob/character.ts'
import type { Segment } from '../glob/segment.ts'
import { bitSet } from './bit-set.ts'
import { type Moves, MoveTable } from './moves.ts'
import type { Steps, WildcardSequence } from './wildcard-sequence.ts'

/** A segment without stars, of two wildcards or brackets. Its states also match `..`, which has to be taken out again. */
interface TwoPartSegment {
  readonly segment: Segment
  readonly start: number
  readonly end: number
}

/**
 * A nondeterministic automaton for several sequences of segments. Each state is a bit, so that a set of states is one number.
 * The states of a sequence follow each other: one before each character of a segment, one at the segment's end, and one
 * before each star of the path, which stays there for any number of segments (`repeat`). A segment's end leads by a slash to
 * the next state.
 */
export interface Automaton {
  /** The number of states. */
  readonly size: number
  readonly start: bigint
  /** States where a path may end. */
  readonly accept: bigint
  /** The last state of each segment, and of each sequence. */
  readonly segmentEnds: bigint
  readonly sequenceEnds: bigint
  /** States at the start of a segment, those before a star of the path included. */
  readonly segmentStarts: bigint
  /** States that a slash leads on from. */
  readonly beforeSlash: bigint
  /** States that any character leads back to: before a star of a segment, or of the path. */
  readonly loops: bigint
  /** States before a star of the path, and those of them with a segment behind. */
  readonly repeats: bigint
  readonly innerRepeats: bigint
  /** States within the own text of a bracket, and all others. */
  readonly inside: bigint
  readonly outside: bigint
  readonly twoPartSegments: readonly TwoPartSegment[]
  movesBy(matcher: CharacterMatcher): Moves
  /** The index of the sequence that a state belongs to. */
  sequenceAt(state: number): number
}

export function buildAutomaton(sequences: readonly WildcardSequence<Segment>[], work: Steps): Automaton {
  const builder = new AutomatonBuilder()
  for (const sequence of sequences) builder.addSequence(sequence)
  work.steps += 500 + 4 * builder.size
  return builder.build(work)
}

class AutomatonBuilder {
  size = 0
  readonly #offsets: number[] = []
  readonly #start: number[] = []
  readonly #accept: number[] = []
  readonly #segmentEnds: number[] = []
  readonly #sequenceEnds: number[] = []
  readonly #segmentStarts: number[] = []
  readonly #beforeSlash: number[] = []
  readonly #loops: number[] = []
  readonly #repeats: number[] = []
  readonly #innerRepeats: number[] = []
  readonly #inside: number[] = []
  readonly #twoPartSegments: TwoPartSegment[] = []
  readonly #moves = new MoveTable()

  addSequence({ items, stars }: WildcardSequence<Segment>): void {
    this.#offsets.push(this.size)
    this.#start.push(this.size)
    for (const [i, segment] of items.entries()) {
      if (i > 0) this.#beforeSlash.push(this.size - 1)
      if (stars.includes(i)) this.#addRepeat(true)
      this.#addSegment(segment)
    }
    this.#accept.push(this.size - 1)
    if (stars.includes(items.length)) {
      this.#beforeSlash.push(this.size - 1)
      this.#addRepeat(false)
      this.#accept.push(this.size - 1)
    }
    this.#sequenceEnds.push(this.size - 1)
  }

  #addRepeat(isInner: boolean): void {
    const state = this.size++
    this.#segmentStarts.push(state)
    this.#segmentEnds.push(state)
    this.#loops.push(state)
    this.#repeats.push(state)
    if (isInner) this.#innerRepeats.push(state)
  }

  #addSegment(segment: Segment): void {
    const start = this.size
    const [first, ...others] = segment.readings
    const { items, stars, shortcuts } = first === undefined || others.length > 0 ? segment.pattern : first
    this.size += items.length + 1
    const end = this.size - 1
    this.#segmentStarts.push(start)
    this.#segmentEnds.push(end)
    for (const star of stars) this.#loops.push(start + star)
    for (const [i, item] of items.entries()) this.#moves.addItem(item, start + i)
    for (const { from, to, item } of shortcuts) {
      this.#moves.addShortcut(item, start + from)
      for (let place = from + 1; place < to; place++) this.#inside.push(start + place)
    }
    if (others.length > 0) this.#twoPartSegments.push({ segment, start, end })
  }

  build(work: Steps): Automaton {
    const { size } = this
    const bits = (states: readonly number[]) => bitSet(states, size)
    const inside = bits(this.#inside)
    const offsets = this.#offsets
    return {
      size,
      start: bits(this.#start),
      accept: bits(this.#accept),
      segmentEnds: bits(this.#segmentEnds),
      sequenceEnds: bits(this.#sequenceEnds),
      segmentStarts: bits(this.#segmentStarts),
      beforeSlash: bits(this.#beforeSlash),
      loops: bits(this.#loops),
      repeats: bits(this.#repeats),
      innerRepeats: bits(this.#innerRepeats),
      inside,
      outside: inside ^ ((1n << BigInt(size)) - 1n),
      twoPartSegments: this.#twoPartSegments,
      movesBy: (matcher) => this.#moves.movesBy(matcher, size, work),
      sequenceAt: (state) => offsets.findLastIndex((offset) => offset <= state),
    }
  }
}

import type { MessageKind } from '../../src/core/enums.ts'
import type { Overlap } from '../../src/core/schemas/overlap.ts'

/** The ids of the lines of these kinds. */
export function toldIds({ messages }: Pick<Overlap, 'messages'>, ...kinds: readonly MessageKind[]): string[] {
  return messages.filter(({ kind }) => kinds.includes(kind)).flatMap(({ ids }) => ids)
}

import type { MessageKind } from '../../src/enums.ts'
import type { Overlap } from '../../src/overlap/schema.ts'

/** The ids of the lines of these kinds. */
export function toldIds({ messages }: Pick<Overlap, 'messages'>, ...kinds: readonly MessageKind[]): string[] {
  return messages.filter(({ kind }) => kinds.includes(kind)).flatMap(({ ids }) => ids)
}

import type { MessageKind } from '../enums.ts'

/** One line of a text, with the ids of the records that it is about. */
export interface Message {
  kind: MessageKind
  ids: string[]
  text: string
}

export function message(kind: MessageKind, text: string, ids: readonly string[] = []): Message {
  return { kind, ids: [...ids], text }
}

/** The texts `reason` and `recommended_action`: the lines of the messages. */
export function textsOf(messages: readonly Message[]): { reason: string; recommended_action: string } {
  const joined = (isAdvice: boolean) =>
    messages.flatMap(({ kind, text }) => ((kind === 'advice') === isAdvice ? [text] : [])).join('\n')
  return { reason: joined(false), recommended_action: joined(true) }
}

import { plain, plainLines } from '../output/plain-text.ts'
import { type Json, recordList, textField, textList } from './json.ts'

/** A line of the response of a check, as plain text (docs/rules.md#overlap-messages). */
export interface ReceivedMessage {
  /** As the service names it: a later one may have more kinds. */
  kind: string
  /** The records that the line is about. */
  ids: readonly string[]
  text: string
}

/** The lines of a response. Of one without `messages`, from an older service, only the two texts are known. */
export function messagesOf(overlap: Json): ReceivedMessage[] {
  const lines = (field: string, kind: string) =>
    plainLines(textField(overlap, field) ?? '').map((text) => ({ kind, ids: [], text }))
  if (!Array.isArray(overlap.messages)) return [...lines('reason', 'unknown'), ...lines('recommended_action', 'advice')]
  return recordList(overlap, 'messages').map((message) => ({
    kind: textField(message, 'kind') ?? '',
    ids: textList(message, 'ids').map(plain),
    text: plain(textField(message, 'text') ?? ''),
  }))
}

/** What the response says of the others, without the advice. The caller's own other work comes after that of other people. */
export function factsOf(overlap: Json): ReceivedMessage[] {
  const facts = messagesOf(overlap).filter(({ kind }) => kind !== 'advice')
  const own = recordList(overlap, 'collisions').flatMap((item) =>
    item.own === true ? (textField(item, 'activity_id') ?? []) : [],
  )
  const isOwn = (fact: ReceivedMessage) => fact.kind === 'collision' && isOnlyAbout(fact, own)
  const last = facts.findLastIndex(({ kind, ids }) => ids.length > 0 && (kind === 'collision' || kind === 'notable'))
  const named = facts.slice(0, last + 1)
  return [...named.filter((fact) => !isOwn(fact)), ...named.filter(isOwn), ...facts.slice(last + 1)]
}

export function adviceOf(overlap: Json): ReceivedMessage[] {
  return messagesOf(overlap).filter(({ kind }) => kind === 'advice')
}

/** The line with the ids of its records, for programs and models. */
export function withIds({ text, ids }: ReceivedMessage): string {
  return ids.length === 0 ? text : `${text} [${ids.join(', ')}]`
}

/** The line for a person. */
export function withoutIds({ text }: ReceivedMessage): string {
  return text
}

/** Whether the line is about these records alone. */
export function isOnlyAbout({ ids }: ReceivedMessage, known: readonly string[]): boolean {
  return ids.length > 0 && ids.every((id) => known.includes(id))
}

/** The records that collide or match. */
export function relatedIds(overlap: Json): string[] {
  return [...textList(overlap, 'related_activity_ids'), ...textList(overlap, 'related_notable_ids')]
}

/** The notables of the response that one of its lines is about. */
export function describedNotables(overlap: Json): { id: string; isAboutRepository: boolean }[] {
  const described = factsOf(overlap).flatMap(({ ids }) => ids)
  return recordList(overlap, 'notables').flatMap((notable) => {
    const id = textField(notable, 'id') ?? ''
    return described.includes(id) ? [{ id, isAboutRepository: notable.about === 'repository' }] : []
  })
}

/** One server-sent event. `id` is the last id that the stream has named. */
export interface ServerSentEvent {
  event: string
  data: string
  id: string | undefined
}

/** The longest event that is read, in UTF-16 code units. A snapshot of the service has at most 1 MiB. */
export const longestEvent = 4 * 1024 * 1024

/**
 * Reads server-sent events out of pieces of text, as the HTML standard says. Comments and fields that are not known are left
 * out. Returns the events that each piece completes. Throws where an event is longer than any of the service.
 */
export function createEventParser(): { parse(piece: string): ServerSentEvent[]; retryMs(): number | undefined } {
  let rest = ''
  /** The length of the fields that are read of the next event. */
  let length = 0
  let id: string | undefined
  let retry: number | undefined
  let fields: { event: string; data: string[] } = { event: 'message', data: [] }

  function takeLine(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const { event, data } = fields
      length = 0
      fields = { event: 'message', data: [] }
      return data.length > 0 ? { event, data: data.join('\n'), id } : undefined
    }
    length += line.length
    if (length > longestEvent) throw new Error('An event is too long.')
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') fields.event = value
    else if (name === 'data') fields.data.push(value)
    else if (name === 'id') id = value
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value)
    return undefined
  }

  return {
    parse(piece) {
      const lines = `${rest}${piece}`.split(/\r\n|\n/)
      rest = lines.pop() ?? ''
      if (rest.length > longestEvent) throw new Error('An event is too long.')
      return lines.flatMap((line) => takeLine(line) ?? [])
    },
    retryMs: () => retry,
  }
}

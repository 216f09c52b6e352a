import type { LiveView } from '../../client/follow-repository.ts'
import { agoText } from '../../model/age.ts'
import { isStale } from '../../model/freshness.ts'

interface ConnectionMarkProps {
  view: LiveView
  isOver: boolean
  now: number
}

/** The state of the connection as a word, a shape and a colour. */
export function ConnectionMark({ view, isOver, now }: ConnectionMarkProps) {
  const { connection, lastReceivedAt } = view
  const isOld = connection !== 'connecting' && (isOver || isStale(view, now))
  const kind = isOld ? 'lost' : connection
  const age = lastReceivedAt === undefined ? '' : agoText(new Date(lastReceivedAt).toISOString(), now)
  const words = {
    connecting: 'Connecting …',
    live: 'Live',
    polling: 'Every 15 s',
    reconnecting: 'Reconnecting …',
    lost: lastReceivedAt === undefined ? 'Not connected' : `As of ${age}`,
  }
  return (
    <span class={`connection connection-${kind}`}>
      <svg class="connection-shape" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="3.5" />
      </svg>
      {words[kind]}
    </span>
  )
}

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { agoText, untilText } from '../../model/age.ts'

/** The current time in ms, from which ages are computed. */
export const Now = createContext(Date.now())

/** How long ago a time was. The title is the time itself. */
export function Age({ at, before = '' }: { at: string; before?: string }) {
  const now = useContext(Now)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {before}
      {agoText(at, now)}
    </time>
  )
}

/** How long it is until a time. */
export function Until({ at, before = '' }: { at: string; before?: string }) {
  const now = useContext(Now)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {before}
      {untilText(at, now)}
    </time>
  )
}

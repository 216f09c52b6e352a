import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { agoText, untilText } from '../../model/age.ts'

/** The time that ages are counted to, in ms. */
export const Now = createContext(Date.now())

/** How long ago an instant was; the instant itself where the pointer rests. */
export function Age({ at, before = '' }: { at: string; before?: string }) {
  const now = useContext(Now)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {before}
      {agoText(at, now)}
    </time>
  )
}

/** How far ahead an instant is. */
export function Until({ at, before = '' }: { at: string; before?: string }) {
  const now = useContext(Now)
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {before}
      {untilText(at, now)}
    </time>
  )
}

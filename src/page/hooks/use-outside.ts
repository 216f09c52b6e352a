import { useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { pairKey } from '../../core/rules/order/pair-order.ts'
import { type OwnPair, pullNumber, textOf } from '../../core/texts/sentence/sentence-parts.ts'
import { titleOfPair } from '../../core/texts/sentence/title.ts'
import { visibleText } from '../model/visible-text.ts'

/** One notification a minute. */
const pauseMs = 60_000

const canNotify = () => isSecureContext && 'Notification' in globalThis

/**
 * What is seen outside the tab: the title, the icon, and after one click a notification of a new collision of mine. Returns what
 * asks the browser for notifications; undefined where it has none, or the person has decided.
 */
export function useOutside(
  { owner, repo }: RepositoryOfPage,
  own: readonly OwnPair[] | undefined,
  sentence: string,
): (() => void) | undefined {
  const [permission, setPermission] = useState(() => (canNotify() ? Notification.permission : 'denied'))
  const count = own?.length ?? 0
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${owner}/${repo}: ${sentence} · Headsup`
  }, [owner, repo, count, sentence])
  useEffect(() => {
    // The shell names both icons, since only the service knows what their files are called.
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    const href = count > 0 ? link?.dataset.dotted : link?.dataset.plain
    if (link && href && link.getAttribute('href') !== href) link.href = href
  }, [count])

  const told = useRef<ReadonlySet<string> | undefined>(undefined)
  const toldAt = useRef(0)
  useEffect(() => {
    if (!own) return
    const fresh = own.find(({ pair }) => told.current?.has(pairKey(pair)) === false)
    told.current = new Set([...(told.current ?? []), ...own.map(({ pair }) => pairKey(pair))])
    if (!fresh || permission !== 'granted' || Date.now() - toldAt.current < pauseMs) return
    toldAt.current = Date.now()
    new Notification(`${owner}/${repo}`, { body: notificationText(fresh), tag: `headsup ${owner}/${repo}` })
  }, [owner, repo, own, permission])

  return permission === 'default' ? () => void Notification.requestPermission().then(setPermission) : undefined
}

/** The sentence with the login and the number alone: a notification is seen by whoever looks at the screen. */
function notificationText({ pair, theirs, areBothMine }: OwnPair): string {
  const login = theirs?.author_login ?? undefined
  const person = login === undefined ? undefined : { actor: login, agent: null }
  const title = titleOfPair({ pair, mine: undefined, theirs: person, areBothMine })
  const number = theirs && pullNumber(theirs)
  return `${number === undefined ? '' : `#${number}: `}${textOf(title, visibleText)}`
}

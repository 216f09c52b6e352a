import { useEffect, useState } from 'preact/hooks'
import { type Sentence, sentenceFor } from '../core/texts/sentence.ts'
import type { Lists } from './api.ts'
import { Link, Parts } from './parts.tsx'

interface Props {
  lists: Lists
  login: string | null
  now: Date
}

export function sentenceOf({ lists, login, now }: Props): Sentence {
  const { activities, collisions, notables, isCut } = lists
  const isWhole = !isCut && !collisions.truncated
  const { items, observed } = collisions
  return sentenceFor({ login, activities, collisions: items, notables, isWhole, observed, now })
}

/** The one sentence about the viewer. */
export function SentenceView({ sentence }: { sentence: Sentence }) {
  const { kind, title, detail, count, worst } = sentence
  const href = useFileLink(worst?.theirs?.pr_url ?? null, worst?.pair.example_path ?? null)
  return (
    <section class={`panel pad sentence is-${kind}`} aria-label="You" role="status">
      <h1>
        <Parts parts={title} />
      </h1>
      <p class="muted">
        <Parts parts={detail} />
        {count > 1 && ` · and ${count - 1} more of yours below`}
      </p>
      {href !== null && (
        <p>
          <Link to={href} kind="button main">
            Open the file
          </Link>
        </p>
      )}
    </section>
  )
}

/** The file in the other pull request: GitHub names it by the SHA-256 of its path. */
function useFileLink(pullUrl: string | null, path: string | null): string | null {
  const [hash, setHash] = useState<{ path: string; text: string } | null>(null)
  useEffect(() => {
    if (path === null) return
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(path)).then((bytes) => {
      const text = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
      setHash({ path, text })
    })
  }, [path])
  if (pullUrl === null) return null
  return `${pullUrl}/files${hash?.path === path && path !== null ? `#diff-${hash.text}` : ''}`
}

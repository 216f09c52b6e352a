import { useEffect, useState } from 'preact/hooks'
import type { Sentence } from '../core/texts/sentence.ts'
import { Link, Parts } from './parts.tsx'

const tones: Partial<Record<Sentence['kind'], string>> = {
  collides: 'high',
  freeze: 'high',
  cut: 'medium',
  not_read: 'medium',
  nothing: 'accent',
}

/** The one sentence about the viewer. */
export function SentenceView({ sentence }: { sentence: Sentence }) {
  const { kind, title, detail, count, worst } = sentence
  const href = useFileLink(worst?.theirs?.pr_url ?? null, worst?.pair.example_path ?? null)
  return (
    <section class={`row sentence ${tones[kind] ?? ''}`} aria-label="You" role="status">
      <div class="grow">
        <h1>
          <Parts parts={title} />
        </h1>
        {detail.length > 0 && (
          <p class="muted">
            <Parts parts={detail} />
            {count > 1 && ` · and ${count - 1} more of yours below`}
          </p>
        )}
      </div>
      {href !== null && (
        <Link to={href} kind="button main">
          {worst?.pair.example_path == null ? 'Open the pull request' : 'Open the file'}
        </Link>
      )}
    </section>
  )
}

/** The file in the other pull request: GitHub names it by the SHA-256 of its path. */
function useFileLink(pullUrl: string | null, path: string | null): string | null {
  const [hash, setHash] = useState('')
  useEffect(() => {
    setHash('')
    if (path === null) return
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(path)).then((bytes) => {
      setHash(`#diff-${Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
    })
  }, [path])
  return pullUrl === null || path === null ? pullUrl : `${pullUrl}/files${hash}`
}

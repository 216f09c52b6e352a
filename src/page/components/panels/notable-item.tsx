import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import type { Notable } from '../../../notable/schema.ts'
import { readableGlob } from '../../../scope/glob/escape.ts'
import { safeLink } from '../../model/links.ts'
import { endOf } from '../../model/notables.ts'
import { Until } from '../parts/age.tsx'
import { OutLink } from '../parts/link.tsx'
import { Code, Text } from '../parts/text.tsx'
import { ArchiveButton } from './archive-button.tsx'

interface NotableItemProps {
  repository: RepositoryOfPage
  notable: Notable
  mayWrite: boolean
  onChanged(): void
}

const mostPaths = 4

/** One notable: its text, where it applies, and until when. */
export function NotableItem({ repository, notable, mayWrite, onChanged }: NotableItemProps) {
  const { id, title, summary, category, importance, blocking, scope, decision_url } = notable
  const link = safeLink(decision_url)
  const paths = scope.paths.map(readableGlob)
  const isEverywhere = paths.length + scope.areas.length === 0
  return (
    <li class={`notable${blocking ? ' notable-blocking' : ''}`}>
      <p class="notable-head">
        {blocking && <strong class="blocking">Blocking</strong>}
        <span class={`importance importance-${importance}`}>{importance}</span>
        <span class="muted">{category}</span>
        <Until at={endOf(notable)} before="ends " />
      </p>
      <h3>
        <Text>{title}</Text>
      </h3>
      {summary !== title && (
        <p class="notable-summary">
          <Text>{summary}</Text>
        </p>
      )}
      <p class="notable-where">
        {isEverywhere && <span class="muted">the whole repository</span>}
        {paths.slice(0, mostPaths).map((path) => (
          <Code key={path}>{path}</Code>
        ))}
        {scope.areas.map((area) => (
          <span key={area} class="area">
            <Text>{area}</Text>
          </span>
        ))}
        {paths.length > mostPaths && <span class="muted">and {paths.length - mostPaths} more</span>}
      </p>
      {(link || mayWrite) && (
        <p class="notable-foot">
          {link ? <OutLink href={link}>Decision</OutLink> : <span />}
          {mayWrite && <ArchiveButton repository={repository} id={id} title={title} onArchived={onChanged} />}
        </p>
      )}
    </li>
  )
}

import { useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import type { Notable } from '../../notable/schema.ts'
import { readableGlob } from '../../scope/glob/escape.ts'
import { apiPath, send } from '../client/requests.ts'
import { useHeld } from '../hooks/use-view.ts'
import type { Directory } from '../model/board.ts'
import { visibleText } from '../model/visible-text.ts'
import { endOf, safeLink } from '../model/words.ts'
import { RaiseDialog } from './dialogs.tsx'
import { AskButton, HeldButton, Panel } from './parts/controls.tsx'
import { Age, Code, Icon, OutLink, Text } from './parts/marks.tsx'

interface KnowPanelProps {
  repository: RepositoryOfPage
  notables: readonly Notable[]
  /** How many there are without the filters. */
  total: number
  /** Whether the viewer may raise and archive. */
  mayWrite: boolean
  query: string
  onChanged(): void
}

/** The notables, one line each. */
export function KnowPanel({ repository, notables, total, mayWrite, query, onChanged }: KnowPanelProps) {
  const [isRaising, setIsRaising] = useState(false)
  const held = useHeld(notables, ({ id }) => id, query)
  const raise = (
    <button type="button" class="button" onClick={() => setIsRaising(true)}>
      <Icon name="plus" />
      Raise
    </button>
  )
  return (
    <Panel
      id="know"
      title="Know before you start"
      count={notables.length === total ? `${total}` : `${notables.length} of ${total}`}
      actions={
        <>
          <HeldButton held={held} />
          {mayWrite && raise}
        </>
      }
    >
      <ul class="notables">
        {held.items.map(({ key, item, isGone }) => (
          <NotableItem
            key={key}
            repository={repository}
            notable={item}
            isGone={isGone}
            mayWrite={mayWrite && !isGone}
            onChanged={onChanged}
          />
        ))}
      </ul>
      {held.items.length === 0 && (
        <p class="empty">
          {held.waiting.length > 0
            ? 'What is new waits above.'
            : total > 0
              ? 'No notable passes the filters.'
              : 'Nothing special to know now.'}
        </p>
      )}
      {isRaising && <RaiseDialog repository={repository} onRaised={onChanged} onClose={() => setIsRaising(false)} />}
    </Panel>
  )
}

interface NotableItemProps {
  repository: RepositoryOfPage
  notable: Notable
  isGone: boolean
  mayWrite: boolean
  onChanged(): void
}

const mostPaths = 4

function NotableItem({ repository: { owner, repo }, notable, isGone, mayWrite, onChanged }: NotableItemProps) {
  const { id, title, summary, category, importance, blocking, scope, decision_url } = notable
  const link = safeLink(decision_url)
  const paths = scope.paths.map(readableGlob)
  const isEverywhere = paths.length + scope.areas.length === 0
  const archive = () => send('POST', apiPath(owner, repo, `/notables/${id}/archive`), { body: {} })
  return (
    <li class={isGone ? 'is-gone' : undefined}>
      <details class="notable">
        <summary>
          <span class={`importance importance-${blocking ? 'critical' : importance}`}>
            {blocking ? 'blocking' : importance}
          </span>
          <span class="notable-title">
            <Text>{title}</Text>
          </span>
          <span class="muted">{isGone ? 'over' : <Age at={endOf(notable)} isAhead />}</span>
        </summary>
        <div class="notable-body">
          {summary !== title && (
            <p>
              <Text>{summary}</Text>
            </p>
          )}
          <p class="words muted">
            {category}
            {isEverywhere && <span>the whole repository</span>}
            {paths.slice(0, mostPaths).map((path) => (
              <Code key={path}>{path}</Code>
            ))}
            {scope.areas.map((area) => (
              <span key={area} class="badge">
                <Text>{area}</Text>
              </span>
            ))}
            {paths.length > mostPaths && <span>and {paths.length - mostPaths} more</span>}
          </p>
          {(link || mayWrite) && (
            <p class="words">
              {link && <OutLink href={link}>Decision</OutLink>}
              {mayWrite && (
                <AskButton
                  label="Archive"
                  name={visibleText(title)}
                  confirm="Archive it for everybody"
                  act={archive}
                  onDone={onChanged}
                />
              )}
            </p>
          )}
        </div>
      </details>
    </li>
  )
}

interface DirectoriesPanelProps {
  directories: readonly Directory[]
  /** The path that the page is filtered by. */
  path: string
  onPath(path: string): void
}

/** The dozen busiest directories. A click filters by one. */
export function DirectoriesPanel({ directories, path, onPath }: DirectoriesPanelProps) {
  return (
    <Panel id="where" title="Where">
      {directories.length === 0 ? (
        <p class="empty">Nobody has named a path yet.</p>
      ) : (
        <ul class="directories">
          {directories.map((one) => (
            <li key={one.path}>
              <button
                type="button"
                class="directory"
                aria-pressed={one.path === path}
                title={`Only work in ${visibleText(one.path)}`}
                onClick={() => onPath(one.path === path ? '' : one.path)}
              >
                <code>
                  <Text>{`${one.path}/`}</Text>
                </code>
                <span class="directory-counts">
                  {one.collisions > 0 && <span class="warn">{one.collisions} collide</span>} {one.count} at work
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

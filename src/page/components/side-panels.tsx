import { useContext } from 'preact/hooks'
import type { Notable } from '../../core/schemas/notable.ts'
import { readableGlob } from '../../core/scope/glob/escape.ts'
import { Scene } from '../hooks/use-view.ts'
import type { Directory, HeldItem } from '../model/board.ts'
import { visibleText } from '../model/visible-text.ts'
import { endOf } from '../model/words.ts'
import { OpenButton } from './dialogs.tsx'
import { ActButton, ListPanel, Panel } from './parts/controls.tsx'
import { Age, Code, Decision, Places, Text } from './parts/marks.tsx'

interface KnowPanelProps {
  notables: readonly Notable[]
  /** How many there are without the filters. */
  total: number
}

export function KnowPanel({ notables, total }: KnowPanelProps) {
  const { mayWrite } = useContext(Scene)
  return (
    <ListPanel
      id="know"
      title="Know before you start"
      items={notables}
      keyOf={({ id }) => id}
      total={total}
      none="Nothing special to know now."
      nonePasses="No notable passes the filters."
      actions={mayWrite && <OpenButton dialog="raise">Raise</OpenButton>}
      row={(one) => <NotableItem key={one.key} held={one} />}
    />
  )
}

function NotableItem({ held: { item: notable, isGone } }: { held: HeldItem<Notable> }) {
  const { call, mayWrite } = useContext(Scene)
  const { id, title, summary, category, importance, blocking, scope } = notable
  const archive = () => call('POST', `/notables/${id}/archive`, {})
  const name = visibleText(title)
  const colour = blocking || importance === 'critical' ? 'fault' : importance === 'high' ? 'warn' : 'muted'
  return (
    <li class={isGone ? 'is-gone' : undefined}>
      <details class="line">
        <summary class="flow">
          <strong class={colour}>{blocking ? 'blocking' : importance}</strong>
          <strong class="grow">
            <Text>{title}</Text>
          </strong>
          <span class="muted">{isGone ? 'over' : <Age at={endOf(notable)} isAhead />}</span>
        </summary>
        {summary !== title && (
          <p>
            <Text>{summary}</Text>
          </p>
        )}
        <p class="flow muted">
          {category}
          <Places paths={scope.paths.map(readableGlob)} areas={scope.areas} most={4} none="the whole repository" />
        </p>
        <p class="flow">
          <Decision of={notable} />
          {mayWrite && !isGone && (
            <ActButton label="Archive" name={name} confirm="Archive it for everybody" act={archive} />
          )}
        </p>
      </details>
    </li>
  )
}

/** The dozen busiest directories. A click filters by one. */
export function DirectoriesPanel({ directories }: { directories: readonly Directory[] }) {
  const { filters, changeFilters } = useContext(Scene)
  return (
    <Panel id="where" title="Where">
      {directories.length === 0 && <p class="line muted">Nobody has named a path yet.</p>}
      <ul>
        {directories.map(({ path, collisions, count }) => (
          <li key={path}>
            <button
              type="button"
              class="line flow"
              aria-pressed={path === filters.path}
              title={`Only work in ${visibleText(path)}`}
              onClick={() => changeFilters({ path: path === filters.path ? '' : path }, true)}
            >
              <Code>{`${path}/`}</Code>
              <small class="muted end">
                {collisions > 0 && <span class="warn">{collisions} collide</span>} {count} at work
              </small>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

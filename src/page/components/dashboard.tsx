import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import { comparing, freezesOf, observationText, ownPairs, sentenceFor } from '../../core/texts/sentence/sentence.ts'
import { textOf } from '../../core/texts/sentence/sentence-parts.ts'
import type { Mine } from '../client/lists.ts'
import { callerOf } from '../client/requests.ts'
import { useOutside } from '../hooks/use-outside.ts'
import { useTheirFile } from '../hooks/use-repository.ts'
import { Scene, useFilters, useKeys } from '../hooks/use-view.ts'
import { boardOf, type Card } from '../model/board.ts'
import { writeFilters } from '../model/filters.ts'
import { type LiveState, withOwn } from '../model/live-state.ts'
import { visibleText } from '../model/visible-text.ts'
import { announcement, cutText } from '../model/words.ts'
import { CardsPanel, TeachCard } from './cards-panel.tsx'
import { KeysDialog, OpenButton, RaiseDialog } from './dialogs.tsx'
import { FilterBar } from './filter-bar.tsx'
import { OutLink } from './parts/marks.tsx'
import { FreezeBars, SentenceCard } from './sentence-card.tsx'
import { DirectoriesPanel, KnowPanel } from './side-panels.tsx'
import { WorkPanel } from './work-panel.tsx'

interface DashboardProps {
  repository: RepositoryOfPage
  githubRepository: string | undefined
  state: LiveState
  mine: Mine | undefined
  now: number
  /** The page may be out of date, so nothing can be changed. */
  isOld: boolean
  refresh(): void
}

const nobody: ReadonlySet<string> = new Set()

/** Everything below the head of the page, top to bottom: freezes, the sentence, the filters, and the panels. */
export function Dashboard(props: DashboardProps) {
  const { repository, githubRepository, mine, now, isOld, refresh } = props
  const state = useMemo(() => withOwn(props.state, mine), [props.state, mine])
  const { activities, access, truncated, isComplete } = state
  const [filters, changeFilters] = useFilters()
  // Lists show at once what the first answer about the viewer's own work, and the first comparison, bring.
  const query = writeFilters('', filters) + (mine ? '' : '?') + useFirstFound(state, now)
  const ids = mine?.ids ?? nobody
  const board = useMemo(() => boardOf(state, ids, filters), [state, ids, query])
  const notables = useMemo(() => [...state.notables.values()], [state.notables])
  const pairs = useMemo(() => [...state.collisions.values()], [state.collisions])
  const own = useMemo(() => ownPairs({ mine: ids, pairs, activities }), [ids, pairs, activities])
  const known = {
    ...{ activities, pairs, notables, isComplete, access, githubRepository, now },
    ...{ mine: mine?.ids, observed: mine?.observed, theirFile: useTheirFile(repository, own[0]) },
  }
  const sentence = useMemo(() => sentenceFor(known), Object.values(known))
  const ask = useOutside(repository, mine?.ids ? own : undefined, textOf(sentence.title, visibleText))
  useKeys()
  const mayWrite = access === 'write' && !isOld
  const call = useMemo(() => callerOf(repository), [repository])
  const scene = { call, githubRepository, mayWrite, filters, query, changeFilters, refresh }
  const observation = observationText(mine?.observed, now)
  const cut = cutText(truncated)
  return (
    <Scene.Provider value={useMemo(() => scene, Object.values(scene))}>
      <Announced cards={board.allCards} />
      <FreezeBars freezes={useMemo(() => freezesOf(notables), [notables])} />
      <SentenceCard sentence={sentence} onNotify={ids.size > 0 ? ask : undefined} />
      <FilterBar rows={board.allRows} hasMine={ids.size > 0} />
      <p class="strip">
        {!isOld && <span class={observation.isGap ? 'warn' : 'muted'}>{observation.text}</span>}{' '}
        {cut && <span class="warn">{cut}</span>}
      </p>
      <div class="columns">
        <div class="stack">
          {activities.size === 0 ? (
            <TeachCard />
          ) : (
            <>
              <CardsPanel
                cards={board.cards}
                total={board.allCards.length}
                comparing={isComplete ? undefined : comparing({ activities, pairs })}
              />
              <WorkPanel rows={board.rows} all={board.allRows} isCut={truncated.activities} />
            </>
          )}
        </div>
        <div class="stack">
          <KnowPanel notables={board.notables} total={notables.length} />
          <DirectoriesPanel directories={board.directories} />
          <p class="flow">
            {githubRepository && <OutLink href={githubRepository}>At GitHub</OutLink>}
            <a href="/docs">API</a>
            <OpenButton dialog="keys" class="text-button" id="show-keys">
              Keys
            </OpenButton>
          </p>
        </div>
      </div>
      <KeysDialog />
      <RaiseDialog />
    </Scene.Provider>
  )
}

/** How long the first comparison counts as such, in ms. It never ends where more is live than is compared. */
const firstComparisonMs = 30_000

/** Changes with each collision that the first comparison finds, and not afterwards. */
function useFirstFound({ isComplete, collisions }: LiveState, now: number): string {
  const began = useRef(now)
  const isOver = useRef(false)
  isOver.current ||= isComplete || now - began.current > firstComparisonMs
  return isOver.current ? '' : `?${collisions.size}`
}

/** What screen readers hear when collisions come and go. */
function Announced({ cards }: { cards: readonly Card[] }) {
  const before = useRef<readonly Card[] | undefined>(undefined)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const text = announcement(before.current, cards)
    before.current = cards
    if (text) setSaid(text)
  }, [cards])
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  )
}

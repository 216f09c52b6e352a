import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { textOf } from '../../sentence/collision-words.ts'
import { comparing, freezesOf, type Known, observationText, ownPairs, sentenceFor } from '../../sentence/sentence.ts'
import type { Mine } from '../client/lists.ts'
import { useOutside } from '../hooks/use-outside.ts'
import { useTheirFile } from '../hooks/use-repository.ts'
import { stepCard, useFilters, useKeys } from '../hooks/use-view.ts'
import { boardOf, type Card } from '../model/board.ts'
import { writeFilters } from '../model/filters.ts'
import { type LiveState, withOwn } from '../model/live-state.ts'
import { visibleText } from '../model/visible-text.ts'
import { announcement, cutText, notConnectedText } from '../model/words.ts'
import { CardsPanel, TeachCard } from './cards-panel.tsx'
import { KeysDialog } from './dialogs.tsx'
import { FilterBar } from './filter-bar.tsx'
import { OutLink } from './parts/marks.tsx'
import { FreezeBars, SentenceCard } from './sentence-card.tsx'
import { DirectoriesPanel, KnowPanel } from './side-panels.tsx'
import { WorkPanel } from './work-panel.tsx'

interface DashboardProps {
  repository: RepositoryOfPage
  /** The repository at GitHub. */
  githubRepository: string | undefined
  state: LiveState
  mine: Mine | undefined
  now: number
  /** The page may be out of date, so nothing can be changed. */
  isOld: boolean
  /** When the service last sent anything, in ms, if the page may be out of date. */
  oldSince: number | undefined
  onChanged(): void
}

const nobody: ReadonlySet<string> = new Set()

/** Everything below the head of the page, top to bottom: freezes, the sentence, the filters, and the panels. */
export function Dashboard(props: DashboardProps) {
  const { repository, githubRepository, mine, now, isOld, oldSince, onChanged } = props
  const state = useMemo(() => withOwn(props.state, mine), [props.state, mine])
  const { activities, collisions, notables, access, truncated, isComplete } = state
  const [filters, changeFilters] = useFilters()
  // The first answer about the viewer's own work puts it first.
  const query = writeFilters('', filters) + (mine ? '' : '?')
  const ids = mine?.ids ?? nobody
  const board = useMemo(() => boardOf(state, ids, filters), [state, ids, query])
  const freezes = useMemo(() => freezesOf([...notables.values()]), [notables])
  const pairs = useMemo(() => [...collisions.values()], [collisions])
  const own = useMemo(() => ownPairs({ mine: ids, pairs, activities }), [ids, pairs, activities])
  const theirFile = useTheirFile(repository, own[0])
  const known: Known = {
    ...{ activities, pairs, isComplete, access, githubRepository, theirFile, now },
    mine: mine?.ids,
    notables: [...notables.values()],
    observed: mine?.observed,
  }
  const sentence = sentenceFor(known)
  const { ask } = useOutside(repository, mine?.ids ? own : undefined, textOf(sentence.title, visibleText))
  const [hasKeys, setHasKeys] = useState(false)
  const toggleMine = () => changeFilters({ mine: filters.mine === '' ? '1' : '' }, true)
  useKeys({
    search: () => document.getElementById('q')?.focus(),
    step: stepCard,
    toggleMine,
    help: () => setHasKeys(true),
  })
  const mayWrite = access === 'write' && !isOld
  return (
    <>
      <Announced cards={board.allCards} />
      <FreezeBars freezes={freezes} />
      <SentenceCard sentence={sentence} onNotify={ids.size > 0 ? ask : undefined} />
      <FilterBar rows={board.allRows} filters={filters} hasMine={ids.size > 0} onFilters={changeFilters} />
      <Strip observed={mine?.observed} cut={cutText(truncated)} oldSince={oldSince} now={now} />
      <div class="columns">
        <div class="column">
          {activities.size === 0 ? (
            <TeachCard />
          ) : (
            <>
              <CardsPanel
                cards={board.cards}
                total={board.allCards.length}
                comparing={isComplete ? undefined : comparing({ activities, pairs })}
                query={query}
                githubRepository={githubRepository}
                onShow={(activity) => changeFilters({ activity }, true)}
              />
              <WorkPanel
                repository={repository}
                rows={board.rows}
                all={board.allRows}
                isCut={truncated.activities}
                mayWrite={mayWrite}
                filters={filters}
                query={query}
                onFilters={changeFilters}
              />
            </>
          )}
        </div>
        <div class="column">
          <KnowPanel
            repository={repository}
            notables={board.notables}
            total={notables.size}
            mayWrite={mayWrite}
            query={query}
            onChanged={onChanged}
          />
          <DirectoriesPanel
            directories={board.directories}
            path={filters.path}
            onPath={(path) => changeFilters({ path }, true)}
          />
          <p class="foot">
            {githubRepository && <OutLink href={githubRepository}>At GitHub</OutLink>}
            <a href="/docs">API</a>
            <button type="button" class="text-button" onClick={() => setHasKeys(true)}>
              Keys
            </button>
          </p>
        </div>
      </div>
      {hasKeys && <KeysDialog onClose={() => setHasKeys(false)} />}
    </>
  )
}

interface StripProps {
  observed: Mine['observed'] | undefined
  cut: string | undefined
  oldSince: number | undefined
  now: number
}

/** One line that says how complete the page is. */
function Strip({ observed, cut, oldSince, now }: StripProps) {
  const { text, isGap } =
    oldSince === undefined ? observationText(observed, now) : { text: notConnectedText(clockOf(oldSince)), isGap: true }
  return (
    <p class="strip">
      <span class={isGap ? 'warn' : undefined}>{text}</span> {cut && <span class="warn">{cut}</span>}
    </p>
  )
}

function clockOf(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
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

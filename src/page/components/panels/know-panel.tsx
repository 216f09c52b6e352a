import { useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import type { Notable } from '../../../notable/schema.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Panel } from '../parts/panel.tsx'
import { NotableItem } from './notable-item.tsx'
import { RaiseDialog } from './raise-dialog.tsx'

interface KnowPanelProps {
  repository: RepositoryOfPage
  notables: readonly Notable[]
  /** Whether the viewer may raise and archive. */
  mayWrite: boolean
  onChanged(): void
}

/** The notables. */
export function KnowPanel({ repository, notables, mayWrite, onChanged }: KnowPanelProps) {
  const [isRaising, setIsRaising] = useState(false)
  const raise = (
    <button type="button" class="small-button" onClick={() => setIsRaising(true)}>
      <Icon name="plus" />
      Raise
    </button>
  )
  return (
    <Panel id="know" title="Know before you start" count={`${notables.length}`} actions={mayWrite && raise}>
      {notables.length === 0 ? (
        <Empty>Nothing special to know now.</Empty>
      ) : (
        <ul class="notables">
          {notables.map((notable) => (
            <NotableItem
              key={notable.id}
              repository={repository}
              notable={notable}
              mayWrite={mayWrite}
              onChanged={onChanged}
            />
          ))}
        </ul>
      )}
      {isRaising && <RaiseDialog repository={repository} onRaised={onChanged} onClose={() => setIsRaising(false)} />}
    </Panel>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { RepositoryOfPage } from '../../../http/page-paths.ts'
import { apiPath, send } from '../../client/requests.ts'
import { visibleText } from '../../model/visible-text.ts'
import { focusPanel } from '../parts/panel.tsx'

interface ArchiveButtonProps {
  repository: RepositoryOfPage
  id: string
  title: string
  onArchived(): void
}

/** Archives a notable after a confirmation. */
export function ArchiveButton({ repository: { owner, repo }, id, title, onArchived }: ArchiveButtonProps) {
  const [state, setState] = useState<'idle' | 'asking' | 'sending'>('idle')
  const [fault, setFault] = useState('')
  const confirm = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (state === 'asking') confirm.current?.focus()
  }, [state])

  async function archive() {
    setState('sending')
    const reply = await send('POST', apiPath(owner, repo, `/notables/${id}/archive`), { body: {} })
    if (reply.ok) {
      if (confirm.current) focusPanel(confirm.current)
      return onArchived()
    }
    setFault(reply.refusal?.message ?? 'The service does not answer.')
    setState('idle')
  }

  if (state === 'idle') {
    return (
      <span class="archive">
        {fault && (
          <span class="fault" role="alert">
            {fault}
          </span>
        )}
        <button
          type="button"
          class="text-button"
          aria-label={`Archive ${visibleText(title)}`}
          onClick={() => setState('asking')}
        >
          Archive
        </button>
      </span>
    )
  }
  return (
    <span class="archive">
      <button type="button" class="text-button danger" ref={confirm} disabled={state === 'sending'} onClick={archive}>
        {state === 'sending' ? 'Archiving …' : 'Archive it for everybody'}
      </button>
      <button type="button" class="text-button" disabled={state === 'sending'} onClick={() => setState('idle')}>
        Keep
      </button>
    </span>
  )
}

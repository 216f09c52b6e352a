import { useEffect, useRef, useState } from 'preact/hooks'
import { categories, importances } from '../../enums.ts'
import type { RepositoryOfPage } from '../../http/page-paths.ts'
import { apiPath, type FieldFault, send } from '../client/requests.ts'
import { globsIn } from '../model/words.ts'

const keys = [
  ['/', 'search'],
  ['j  k', 'next and previous card'],
  ['Enter', 'open a card'],
  ['m', 'only mine'],
  ['←  →', 'from one act to the next'],
  ['?', 'this list'],
  ['Esc', 'close'],
] as const

/** The list of the keys. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keys.map(([key, what]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}

interface RaiseDialogProps {
  repository: RepositoryOfPage
  onRaised(): void
  onClose(): void
}

function bodyOf(form: FormData): object {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    title: text('title'),
    summary: text('summary'),
    category: text('category'),
    importance: text('importance'),
    scope: { paths: globsIn(text('paths')) },
    blocking: form.get('blocking') !== null,
    ...(text('decision_url') && { decision_url: text('decision_url') }),
    ...(text('applies_until') && { applies_until: new Date(text('applies_until')).toISOString() }),
  }
}

/** The form for a new notable. */
export function RaiseDialog({ repository: { owner, repo }, onRaised, onClose }: RaiseDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [faults, setFaults] = useState<readonly FieldFault[]>([])
  const [isSending, setIsSending] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])

  async function raise(event: SubmitEvent) {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement)) return
    setIsSending(true)
    const reply = await send('POST', apiPath(owner, repo, '/notables'), { body: bodyOf(new FormData(event.target)) })
    setIsSending(false)
    if (reply.ok) {
      onRaised()
      dialog.current?.close()
    } else if (reply.details.length > 0) setFaults(reply.details)
    else setFaults([{ field: '', message: reply.refusal?.message ?? 'The service does not answer.' }])
  }

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="raise-title" onClose={onClose}>
      <form class="form" onSubmit={raise}>
        <h2 id="raise-title">What should people know?</h2>
        <label>
          In one line
          <input
            name="title"
            required
            maxLength={200}
            autocomplete="off"
            placeholder="The session table moves on Friday"
          />
        </label>
        <label>
          What to do about it
          <textarea name="summary" required maxLength={2000} rows={3} />
        </label>
        <div class="form-pair">
          <label>
            Category
            <select name="category">
              {categories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </select>
          </label>
          <label>
            Importance
            <select name="importance" defaultValue="medium">
              {importances.map((importance) => (
                <option key={importance} selected={importance === 'medium'}>
                  {importance}
                </option>
              ))}
            </select>
          </label>
        </div>
        <label>
          Where: a path or glob in each line; none means the whole repository
          <textarea name="paths" rows={2} spellcheck={false} class="code-input" placeholder="src/auth/**" />
        </label>
        <label>
          Link to the decision
          <input name="decision_url" type="url" maxLength={2048} autocomplete="off" placeholder="https://" />
        </label>
        <label>
          Until when it is true
          <input name="applies_until" type="datetime-local" />
        </label>
        <label class="check">
          <input name="blocking" type="checkbox" />
          Blocking: a prominent warning, never a lock
        </label>
        {faults.length > 0 && (
          <ul class="faults" role="alert">
            {faults.map(({ field, message }) => (
              <li key={field}>{field ? `${field}: ${message}` : message}</li>
            ))}
          </ul>
        )}
        <div class="form-foot">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={isSending}>
            {isSending ? 'Raising …' : 'Raise'}
          </button>
        </div>
      </form>
    </dialog>
  )
}

import type { InputHTMLAttributes } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { categories, importances } from '../../core/enums.ts'
import { apiPath, type FieldFault, faultOf, send } from '../client/requests.ts'
import { Scene } from '../hooks/use-view.ts'
import { globsIn } from '../model/words.ts'
import { Dialog } from './parts/controls.tsx'

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
  return (
    <Dialog title="Keys" onClose={onClose}>
      {(close) => (
        <>
          <h2>Keys</h2>
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
          <button type="button" class="button" onClick={close}>
            Close
          </button>
        </>
      )}
    </Dialog>
  )
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
export function RaiseDialog({ onClose }: { onClose(): void }) {
  const { repository, refresh } = useContext(Scene)
  const [faults, setFaults] = useState<readonly FieldFault[]>([])
  const [isSending, setIsSending] = useState(false)

  async function raise(form: HTMLFormElement, close: () => void) {
    setIsSending(true)
    const reply = await send('POST', apiPath(repository, '/notables'), { body: bodyOf(new FormData(form)) })
    setIsSending(false)
    if (!reply.ok) return setFaults(reply.details.length > 0 ? reply.details : [{ field: '', message: faultOf(reply) }])
    refresh()
    close()
  }

  return (
    <Dialog title="What should people know?" onClose={onClose}>
      {(close) => (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void raise(event.currentTarget, close)
          }}
        >
          <h2>What should people know?</h2>
          <Field
            label="In one line"
            name="title"
            required
            maxLength={200}
            placeholder="The session table moves on Friday"
          />
          <label>
            What to do about it
            <textarea name="summary" required maxLength={2000} rows={3} />
          </label>
          <Choice label="Category" words={categories} />
          <Choice label="Importance" words={importances} chosen="medium" />
          <label>
            Where: a path or glob in each line; none means the whole repository
            <textarea name="paths" rows={2} spellcheck={false} class="code-input" placeholder="src/auth/**" />
          </label>
          <Field label="Link to the decision" name="decision_url" type="url" maxLength={2048} placeholder="https://" />
          <Field label="Until when it is true" name="applies_until" type="datetime-local" />
          <label class="flow">
            <input name="blocking" type="checkbox" />
            Blocking: a prominent warning, never a lock
          </label>
          {faults.length > 0 && (
            <ul class="fault" role="alert">
              {faults.map(({ field, message }) => (
                <li key={field}>{field ? `${field}: ${message}` : message}</li>
              ))}
            </ul>
          )}
          <div class="flow">
            <button type="submit" class="button button-main" disabled={isSending}>
              {isSending ? 'Raising …' : 'Raise'}
            </button>
            <button type="button" class="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Field({ label, ...input }: { label: string } & InputHTMLAttributes) {
  return (
    <label>
      {label}
      <input autocomplete="off" {...input} />
    </label>
  )
}

function Choice({ label, words, chosen }: { label: string; words: readonly string[]; chosen?: string }) {
  return (
    <label>
      {label}
      <select name={label.toLowerCase()}>
        {words.map((word) => (
          <option key={word} selected={word === chosen}>
            {word}
          </option>
        ))}
      </select>
    </label>
  )
}

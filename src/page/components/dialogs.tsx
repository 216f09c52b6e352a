import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact'
import { useContext } from 'preact/hooks'
import { categories, importances } from '../../core/enums.ts'
import { Scene } from '../hooks/use-view.ts'
import { useChange } from './parts/controls.tsx'

interface DialogProps {
  id: string
  title: string
  children: ComponentChildren
}

function Dialog({ id, title, children }: DialogProps) {
  return (
    <dialog id={id} aria-label={title}>
      <section class="box stack">
        <h2>{title}</h2>
        {children}
      </section>
    </dialog>
  )
}

export function OpenButton({ dialog, ...rest }: { dialog: string } & ButtonHTMLAttributes) {
  const open = () => document.querySelector<HTMLDialogElement>(`dialog#${dialog}`)?.showModal()
  return <button type="button" class="button" onClick={open} {...rest} />
}

/** Closes the dialog that it is in. */
export function CloseButton({ children }: { children: string }) {
  return (
    <button type="button" class="button" onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
      {children}
    </button>
  )
}

const keys = [
  ['/', 'search'],
  ['j  k', 'next and previous card'],
  ['Enter', 'open a card'],
  ['m', 'only mine'],
  ['←  →', 'from one act to the next'],
  ['?', 'this list'],
  ['Esc', 'close'],
] as const

export function KeysDialog() {
  return (
    <Dialog id="keys" title="Keys">
      <ul>
        {keys.map(([key, what]) => (
          <li key={key}>
            <kbd>{key}</kbd> {what}
          </li>
        ))}
      </ul>
      <CloseButton>Close</CloseButton>
    </Dialog>
  )
}

/** The body of a create, out of the fields that are filled in. */
function bodyOf(form: HTMLFormElement): object {
  const filled = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, text]) => text)
  const { paths = '', blocking, applies_until: until, ...texts }: Record<string, string> = Object.fromEntries(filled)
  return {
    ...texts,
    scope: { paths: paths.split('\n').flatMap((line) => line.trim() || []) },
    blocking: blocking !== undefined,
    ...(until && { applies_until: new Date(until).toISOString() }),
  }
}

export function RaiseDialog() {
  const { call } = useContext(Scene)
  const { isSending, alert, send } = useChange()
  const raise = (form: HTMLFormElement) =>
    send(call('POST', '/notables', bodyOf(form)), () => {
      form.reset()
      form.closest('dialog')?.close()
    })
  return (
    <Dialog id="raise" title="What should people know?">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void raise(event.currentTarget)
        }}
      >
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
          <span class="grow">Blocking: a prominent warning, never a lock</span>
        </label>
        {alert}
        <p class="flow">
          <button type="submit" class="button button-main" disabled={isSending}>
            Raise
          </button>
          <CloseButton>Cancel</CloseButton>
        </p>
      </form>
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

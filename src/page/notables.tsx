import { useRef, useState } from 'preact/hooks'
import { categories, levels } from '../core/enums.ts'
import type { Notable } from '../core/schemas/notable.ts'
import type { Api } from './api.ts'
import { Act, Link, Mark, Panel, Path, Text, unturned } from './parts.tsx'

interface Props {
  notables: readonly Notable[]
  api: Api
  empty: string
  onChange(): void
}

/** A bar for what stops the whole repository. */
export function Freezes({ notables }: Pick<Props, 'notables'>) {
  return (
    <>
      {notables.map(({ id, title, summary, decision_url, expires_at, applies_until }) => (
        <div class="bar" key={id} role="note">
          <strong>
            <Text>{title}</Text>
          </strong>
          <span class="grow">
            <Text>{summary}</Text>
          </span>
          <span class="muted">until {day(applies_until ?? expires_at)}</span>
          {decision_url !== null && <Link to={decision_url}>Read more</Link>}
        </div>
      ))}
    </>
  )
}

export function Know({ notables, api, empty, onChange }: Props) {
  return (
    <Panel
      name="Know before you start"
      count={notables.length}
      empty={empty}
      action={<Raise api={api} onChange={onChange} />}
    >
      <ul class="list">
        {notables.map((one) => (
          <li key={one.id} class="notable">
            <div class="row">
              {one.blocking ? <span class="mark high">blocking</span> : <Mark level={one.importance} />}
              <strong class="grow">
                <Text>{one.title}</Text>
              </strong>
            </div>
            <p>
              <Text>{one.summary}</Text>
            </p>
            <p class="row muted">
              {[...one.scope.paths, ...one.scope.areas].slice(0, 3).map((place) => (
                <Path key={place}>{place}</Path>
              ))}
              <span>until {day(one.applies_until ?? one.expires_at)}</span>
              {one.decision_url !== null && <Link to={one.decision_url}>Read more</Link>}
              <span class="end">
                <Act
                  name="Archive"
                  label={`Archive: ${unturned(one.title)}`}
                  ask={`Archive “${unturned(one.title)}”?`}
                  act={() => api.archive('notables', one.id).then(onChange)}
                />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Raise({ api, onChange }: Pick<Props, 'api' | 'onChange'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [fault, setFault] = useState('')

  async function send(event: SubmitEvent) {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const { paths, blocking, ...fields } = Object.fromEntries(new FormData(form))
    const lines = String(paths)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    try {
      await api.raise({ ...fields, blocking: blocking === 'on', scope: { paths: lines } })
      setFault('')
      form.reset()
      dialog.current?.close()
      onChange()
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'That did not work.')
    }
  }

  return (
    <>
      <button type="button" class="button" onClick={() => dialog.current?.showModal()}>
        Raise
      </button>
      <dialog ref={dialog} aria-label="Raise a notable">
        <form class="stack" onSubmit={send}>
          <h2>What should everybody know?</h2>
          <Field name="Title">
            <input name="title" required maxLength={200} />
          </Field>
          <Field name="In a sentence or two">
            <textarea name="summary" required rows={3} maxLength={2000} />
          </Field>
          <div class="row">
            <Field name="Importance">
              <Select name="importance" words={levels} value="medium" />
            </Field>
            <Field name="Category">
              <Select name="category" words={categories} value="warning" />
            </Field>
          </div>
          <Field name="Paths, one a line; none: the whole repository">
            <textarea name="paths" rows={2} placeholder="src/auth/**" spellcheck={false} />
          </Field>
          <label class="row">
            <input type="checkbox" name="blocking" /> Warn prominently: please wait
          </label>
          {fault !== '' && (
            <p role="alert" class="fault">
              {fault}
            </p>
          )}
          <div class="row">
            <button class="button main" type="submit">
              Raise
            </button>
            <button class="button" type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

function Field({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span>{name}</span>
      {children}
    </label>
  )
}

function Select({ name, words, value }: { name: string; words: readonly string[]; value: string }) {
  return (
    <select name={name}>
      {words.map((word) => (
        <option key={word} selected={word === value}>
          {word}
        </option>
      ))}
    </select>
  )
}

function day(at: string): string {
  return new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'short' })
}

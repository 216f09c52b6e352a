import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { categories, levels } from '../core/enums.ts'
import type { Api } from './api.ts'
import { Fault, faultOf } from './parts.tsx'

/** The button and the form by which somebody tells everybody something. */
export function Raise({ api, onChange }: { api: Api; onChange(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isBusy = useRef(false)
  const [fault, setFault] = useState('')

  async function send(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    const form = event.currentTarget as HTMLFormElement
    const failed = await faultOf(api.raise(notableOf(new FormData(form))))
    isBusy.current = false
    setFault(failed)
    if (failed !== '') return
    form.reset()
    dialog.current?.close()
    onChange()
  }

  return (
    <>
      <button type="button" class="button small" onClick={() => dialog.current?.showModal()}>
        Raise
      </button>
      <dialog class="panel pad" ref={dialog} aria-label="Raise a notable">
        <form class="stack" onSubmit={send}>
          <h2>What should everybody know?</h2>
          <Field name="Title">
            <input name="title" required maxLength={200} />
          </Field>
          <Field name="In a sentence or two">
            <textarea name="summary" required rows={3} maxLength={2000} />
          </Field>
          <div class="row">
            <Select name="importance" words={levels} value="medium" />
            <Select name="category" words={categories} value="warning" />
          </div>
          <Field name="Paths, one a line; none: the whole repository">
            <textarea name="paths" rows={2} placeholder="src/auth/**" spellcheck={false} />
          </Field>
          <label>
            <input type="checkbox" name="blocking" /> Warn prominently: please wait
          </label>
          <Fault>{fault}</Fault>
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

function notableOf(form: FormData): object {
  const { paths, blocking, ...fields } = Object.fromEntries(form)
  const lines = String(paths).split('\n')
  return {
    ...{ ...fields, blocking: blocking === 'on' },
    scope: { paths: lines.map((line) => line.trim()).filter((line) => line !== '') },
  }
}

function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children, where the rule does not look
    <label class="field">
      <small class="muted">{name}</small>
      {children}
    </label>
  )
}

function Select({ name, words, value }: { name: string; words: readonly string[]; value: string }) {
  return (
    <Field name={name[0]?.toUpperCase() + name.slice(1)}>
      <select name={name}>
        {words.map((word) => (
          <option key={word} selected={word === value}>
            {word}
          </option>
        ))}
      </select>
    </Field>
  )
}

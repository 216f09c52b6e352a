import { useEffect, useRef } from 'preact/hooks'

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

import { useRef } from 'preact/hooks'
import type { BrowserSession } from '../../client/session.ts'
import { SignIn } from './sign-in.tsx'

/** Says that the session has ended, and offers to sign in again without leaving the page. */
export function SessionOver({ session }: { session: BrowserSession }) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <div class="notice">
        <p>
          <strong>Your session is over.</strong> What you see is out of date.
        </p>
        <button type="button" class="main-button" onClick={() => dialog.current?.showModal()}>
          Sign in again
        </button>
      </div>
      <dialog ref={dialog} class="dialog dialog-bare" aria-label="Sign in again">
        <SignIn session={session} title="Sign in again" onSignedIn={() => location.reload()} />
        <button type="button" class="text-button" onClick={() => dialog.current?.close()}>
          Not now
        </button>
      </dialog>
    </>
  )
}

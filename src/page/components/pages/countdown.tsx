import { useNow } from '../../hooks/use-now.ts'

/** `Next attempt in 12 s`. Screen readers do not read out each second. */
export function Countdown({ to }: { to: number | undefined }) {
  const now = useNow(1_000)
  if (to === undefined) return null
  const seconds = Math.max(0, Math.ceil((to - now) / 1000))
  return (
    <span class="countdown" aria-hidden="true">
      {seconds === 0 ? 'Trying …' : `Next attempt in ${seconds} s`}
    </span>
  )
}

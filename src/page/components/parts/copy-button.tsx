import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** Copies a text, and shows for a moment whether it worked. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () => {
    // Browsers have no clipboard for pages without TLS.
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    writing.then(
      () => setResult('copied'),
      () => setResult('failed'),
    )
  }
  return (
    <button type="button" class="quiet-button icon-button" onClick={copy} title={label} aria-label={label}>
      <Icon name={result === 'copied' ? 'check' : result === 'failed' ? 'close' : 'copy'} />
      <span class="visually-hidden" role="status">
        {result === 'copied' ? 'Copied' : result === 'failed' ? 'Not copied' : ''}
      </span>
    </button>
  )
}

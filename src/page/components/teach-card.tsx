import { CopyButton } from './parts/controls.tsx'

/** Shown where nothing is in flight: how work appears here. */
export function TeachCard() {
  const steps = [
    {
      what: 'Install the command line',
      text: `mkdir -p ~/.local/bin && curl -fsSL ${location.origin}/-/headsup.mjs -o ~/.local/bin/headsup && chmod +x ~/.local/bin/headsup`,
    },
    { what: 'Ask before you start what others change', text: 'headsup check' },
    { what: 'Let git and coding agents ask by themselves', text: 'headsup hook install' },
  ]
  return (
    <section class="panel teach" id="collides" aria-labelledby="teach-title">
      <h2 id="teach-title">Nothing is in flight yet. This is how work appears here:</h2>
      <ol>
        <li>
          <p>Open a pull request: it appears by itself.</p>
        </li>
        {steps.map(({ what, text }) => (
          <li key={text}>
            <p>{what}</p>
            <p class="command">
              <code>{text}</code>
              <CopyButton text={text} label={`Copy: ${what}`} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

const commands = [
  ['headsup check src/auth', 'Before you start: does it collide?'],
  ['headsup start --title "Rework the login"', 'Tell others what you work on.'],
  ['headsup done', 'When you are done. The merge of its pull request does it, too.'],
]

/** Where nothing is in flight: how work gets here. */
export function Commands() {
  return (
    <section class="panel pad stack" aria-labelledby="commands">
      <h2 id="commands">Nobody has work in flight that is known here</h2>
      <p>Open pull requests appear by themselves. Work without one is told by three commands:</p>
      <dl>
        {commands.map(([command, meaning]) => (
          <div key={command}>
            <dt>
              <code>{command}</code>
            </dt>
            <dd class="muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        <a href="/-/headsup.mjs">Get the command line</a>, one file that needs Node 20.
      </p>
    </section>
  )
}

import { createHash } from 'node:crypto'
import { style } from '../service/api/http/docs/base-style.ts'
import { type Html, html } from '../service/api/http/docs/html.ts'
import type { Manifest } from './manifest.ts'

/** The style sheet in a content security policy. It is inline: the last page is shown when the server has already stopped. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

function page(title: string, contents: Html): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>${{ markup: style }}</style></head>
<body><main><h1>${title}</h1>
${contents}
</main></body>
</html>
`.markup
}

export interface StartPage {
  /** The secret prefix of every path. */
  base: string
  manifest: Manifest
  redirectUrl: string
  registrationUrl: string
}

export function startPage({ base, manifest, redirectUrl, registrationUrl }: StartPage): string {
  const { default_permissions: permissions, default_events: events, hook_attributes: hook } = manifest
  const sent = JSON.stringify({ ...manifest, redirect_url: redirectUrl })
  return page(
    'Set up Headsup',
    html`
<p>Headsup needs a GitHub App. This page registers a new one, or uses one that you have, and writes its id, key and secret to <code>.env</code>.</p>
<h2>Register a new App</h2>
<p>GitHub shows the App <strong>${manifest.name}</strong> before it is created. It gets</p>
<ul>
<li>these permissions: ${listed(Object.entries(permissions).map(([name, level]) => `${name}: ${level}`))}</li>
<li>these events: ${listed(events)}</li>
<li>webhooks at <code>${hook.url}</code></li>
</ul>
<form action="${registrationUrl}" method="post">
<input type="hidden" name="manifest" value="${sent}">
<button>Register on GitHub</button>
</form>
<h2>Use an App that you have</h2>
<form action="${base}/import" method="post" autocomplete="off">
<p><label>App ID<br><input name="app_id" inputmode="numeric" required></label></p>
<p><label>Private key, the text of the <code>.pem</code> file<br><textarea name="private_key" rows="8" cols="66" spellcheck="false" required></textarea></label></p>
<p><label>Webhook secret<br><input name="webhook_secret" type="password" required></label></p>
<button>Write .env</button>
</form>`,
  )
}

function listed(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`)}`
}

export function donePage(written: readonly string[], installUrl: string | undefined): string {
  const install =
    installUrl === undefined
      ? html`Install the App on your organisation, in the App's settings on GitHub.`
      : html`<a href="${installUrl}">Install the App</a> on your organisation.`
  return page(
    'Headsup is set up',
    html`
<p><code>.env</code> now holds ${listed(written)}. Only its owner can read the file. The set-up is finished.</p>
<ol><li>Start Headsup with this file, where it is to run: <code>npm start</code>.</li><li>${install}</li>
<li>See whether all is right: <code>npm run setup -- --check</code>.</li></ol>`,
  )
}

/** Does not show the values that were sent: some are secrets. */
export function failurePage(base: string, message: string, faults: readonly string[]): string {
  const list = faults.length === 0 ? '' : html`<ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>`
  const contents = html`
<p>${message}</p>
${list}
<p><a href="${base}/">Back to the set-up page</a></p>`
  return page('Set-up did not work', contents)
}

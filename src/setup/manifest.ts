import { parse } from 'yaml'
import { z } from 'zod'

/** The parts of `app.yml` that the page shows or changes. The rest goes to GitHub as it is. */
const Manifest = z.looseObject({
  name: z.string(),
  hook_attributes: z.looseObject({ url: z.string() }),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

/** The manifest of GitHub's App in `app.yml`; `webhookUrl` replaces the file's own. Throws on any other text. */
export function readManifest(text: string, webhookUrl: string | undefined): Manifest {
  const manifest = Manifest.parse(parse(text))
  if (webhookUrl !== undefined) manifest.hook_attributes.url = webhookUrl
  return manifest
}

/** Where the browser sends the manifest. GitHub hands `state` back with the code. */
export function registrationUrl(serverUrl: string, org: string | undefined, state: string): string {
  const owner = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`
  return `${serverUrl}${owner}/settings/apps/new?state=${state}`
}

import { parse } from 'yaml'
import { z } from 'zod'

/** The parts of `app.yml` that the page shows or changes. The rest is sent to GitHub unchanged. */
const Manifest = z.looseObject({
  name: z.string(),
  callback_urls: z.array(z.string()),
  setup_url: z.string(),
  hook_attributes: z.looseObject({ url: z.string() }),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

/** Reads the GitHub App manifest in `app.yml`, with the addresses of this service. Throws if the text is invalid. */
export function readManifest(
  text: string,
  { webhookUrl, publicUrl }: { webhookUrl: string | undefined; publicUrl: string },
): Manifest {
  const manifest = Manifest.parse(parse(text))
  if (webhookUrl !== undefined) manifest.hook_attributes.url = webhookUrl
  manifest.callback_urls = [`${publicUrl}/-/callback`]
  manifest.setup_url = `${publicUrl}/`
  return manifest
}

/** The page at GitHub that the browser sends the manifest to. GitHub returns `state` with the code. */
export function registrationUrl(serverUrl: string, org: string | undefined, state: string): string {
  const owner = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`
  return `${serverUrl}${owner}/settings/apps/new?state=${state}`
}

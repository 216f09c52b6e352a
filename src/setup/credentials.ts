import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'

/** Variables of `.env`, by name. */
export type Variables = Record<string, string>

/** Line breaks, control characters and other invisible characters. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u

const oneLine = z
  .string()
  .max(1000, 'must have at most 1000 characters')
  .refine((value) => !invisible.test(value), 'must be one line without control characters')
  .refine((value) => value.trim() !== '', 'must not be empty')

const appId = z
  .string()
  .regex(/^ *[1-9]\d{0,14} *$/, 'must be a number, such as 123456')
  .transform((value) => value.trim())

const pemPattern = /^-----BEGIN (RSA )?PRIVATE KEY-----\n(?:[A-Za-z0-9+/=]{1,100}\n)+-----END \1PRIVATE KEY-----$/

function isRsaKey(pem: string): boolean {
  if (!pemPattern.test(pem)) return false
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** The text of a PEM file. Browsers send line breaks as CRLF; they are stored as LF. */
const privateKey = z
  .string()
  .max(20_000, 'is too long for a private key')
  .transform((value) => value.replaceAll('\r\n', '\n').trim())
  .refine(isRsaKey, 'must be the whole text of the .pem file, an RSA private key without a passphrase')
  .transform((pem) => `${pem}\n`)

/** The form for an existing App. */
export const ExistingApp = z.object({ app_id: appId, private_key: privateKey, webhook_secret: oneLine }).transform(
  (app): Variables => ({
    APP_ID: app.app_id,
    PRIVATE_KEY: app.private_key,
    WEBHOOK_SECRET: app.webhook_secret,
  }),
)

/** GitHub's response to the code of a manifest. */
export const RegisteredApp = z
  .object({
    id: z.int().positive(),
    pem: privateKey,
    webhook_secret: oneLine,
    client_id: oneLine,
    client_secret: oneLine,
    html_url: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).href),
  })
  .transform((app): { variables: Variables; appUrl: string } => ({
    variables: {
      APP_ID: String(app.id),
      PRIVATE_KEY: app.pem,
      WEBHOOK_SECRET: app.webhook_secret,
      GITHUB_CLIENT_ID: app.client_id,
      GITHUB_CLIENT_SECRET: app.client_secret,
    },
    appUrl: app.html_url.replace(/\/+$/, ''),
  }))

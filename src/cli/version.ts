import { readFileSync } from 'node:fs'

declare const BUNDLED_VERSION: string | undefined

/** Written into the file by the script that bundles it. */
export const version = typeof BUNDLED_VERSION === 'string' ? BUNDLED_VERSION : versionOfPackage()

function versionOfPackage(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? 'unknown'
}

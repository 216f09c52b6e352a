import { existsSync } from 'node:fs'
import { describe } from 'vitest'

// The shell has no window, and needs a fifth of the processor time.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const { CHROMIUM } = process.env

/** The program of Chromium, or undefined where there is none. The variable CHROMIUM says where it is, if not in a usual place. */
export const chromiumPath = (CHROMIUM ? [CHROMIUM] : places).find((path) => existsSync(path))

/** Chromium calls nobody: neither its maker nor a name server. */
export const chromiumArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--no-first-run',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Like `describe`. Skipped without Chromium. */
export const describeInBrowser = describe.skipIf(chromiumPath === undefined)

/** The global set-up of the tests in a browser: says once that they are skipped. */
export default function sayIfSkipped(): void {
  if (chromiumPath) return
  console.log(
    'Skipped: the tests in a browser. They need Chromium (apt-get install chromium-headless-shell, or the variable CHROMIUM).',
  )
}

import { spawn } from 'node:child_process'
import type { Terminal } from '../../terminal.ts'
import { tokenVariables } from './token.ts'

/** How long to wait for a failure of the opener, in ms. It may run for as long as the browser. */
const failureMs = 1_500

/** Opens the address in the person's browser. False where there is none, or where it could not be started. */
export async function openBrowser(url: string, terminal: Pick<Terminal, 'env' | 'platform'>): Promise<boolean> {
  const opener = openerOf(url, terminal)
  if (opener === undefined) return false
  const [program, ...args] = opener
  // The browser outlives this command and needs no token.
  const env = { ...terminal.env }
  for (const name of tokenVariables) delete env[name]
  return await new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: 'ignore', detached: true })
    const timer = setTimeout(resolve, failureMs, true)
    child.once('error', () => resolve(false))
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
    child.unref()
  })
}

function openerOf(
  url: string,
  { env, platform }: Pick<Terminal, 'env' | 'platform'>,
): [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', url]
  // `cmd /c start` would read the & of an address as the end of the command.
  if (platform === 'win32') return [`${env.SystemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler', url]
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME ? ['xdg-open', url] : undefined
}

/** The first line says whose the file is. */
const mark = '// headsup: `headsup hook uninstall opencode` removes this file.'

export function isOwnPlugin(text: string): boolean {
  return text.startsWith(mark)
}

/**
 * The plugin, which opencode loads and calls in its own process. It never throws: that would refuse the tool. What the hook says at
 * the beginning of a session goes to its first message, the rest to the output of the tool.
 */
export function pluginText(command: string): string {
  return `${mark}
import { spawn } from 'node:child_process'

const command = ${JSON.stringify(command)}
const timeout = 5000
const tools = ['edit', 'multiedit', 'write', 'patch', 'apply_patch', 'bash']

export const Headsup = async ({ directory }) => {
  const briefed = new Set()

  function run(name, session) {
    return new Promise((resolve) => {
      try {
        const child = spawn(command, { shell: true, cwd: directory, stdio: ['pipe', 'pipe', 'ignore'], timeout })
        let out = ''
        child.stdout.on('data', (chunk) => (out += chunk))
        child.stdin.on('error', () => {})
        child.on('error', () => resolve(''))
        child.on('close', () => resolve(contextOf(out)))
        child.stdin.end(JSON.stringify({ hook_event_name: name, session_id: session, cwd: directory }))
      } catch {
        resolve('')
      }
    })
  }

  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const last = parts?.at(-1)
      // Once a session, which may be older than this process.
      if (!last || briefed.has(sessionID)) return
      briefed.add(sessionID)
      const text = await run('session.created', sessionID)
      if (text) parts.push({ id: last.id + '0', messageID: message.id, sessionID, type: 'text', synthetic: true, text })
    },
    'tool.execute.after': async (input, output) => {
      if (!tools.includes(input?.tool)) return
      const text = await run('tool.execute.after', input.sessionID)
      if (text && typeof output?.output === 'string') output.output += '\\n\\n' + text
    },
  }
}

function contextOf(text) {
  try {
    return JSON.parse(text || '{}').context ?? ''
  } catch {
    return ''
  }
}
`
}

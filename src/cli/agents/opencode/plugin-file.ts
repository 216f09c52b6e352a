/** Stands in the installed file, so it must not change. */
const mark = '// headsup: `headsup hook uninstall opencode` removes this file.'

/** From the top of the work tree. */
export const pluginPath = '.opencode/plugins/headsup.js'

export function isOwnPlugin(text: string): boolean {
  return text.startsWith(mark)
}

/**
 * The plugin, which opencode loads from its directory of plugins and calls in its own process. It runs the command for each
 * event, and never throws: that would refuse the tool. opencode's own `$` is not there on every runtime.
 */
export function pluginText(command: string): string {
  return `${mark}
import { spawn } from 'node:child_process'

const command = ${JSON.stringify(command)}
// In ms. The command ends by itself before that.
const timeout = 10000
const edits = ['edit', 'multiedit', 'write', 'patch', 'apply_patch']

export const Headsup = async ({ directory }) => {
  const starts = new Map()
  const subagents = new Set()

  function run(name, session, more = {}) {
    return new Promise((resolve) => {
      try {
        const agent = subagents.has(session) ? { agent_id: session } : {}
        const event = { hook_event_name: name, session_id: session, cwd: directory, ...agent, ...more }
        const child = spawn(command, { shell: true, cwd: directory, stdio: ['pipe', 'pipe', 'ignore'], timeout })
        let out = ''
        child.stdout.on('data', (chunk) => (out += chunk))
        child.stdin.on('error', () => {})
        child.on('error', () => resolve({}))
        child.on('close', () => resolve(parse(out)))
        child.stdin.end(JSON.stringify(event))
      } catch {
        resolve({})
      }
    })
  }

  // A session that was created before opencode started begins with its first tool.
  function start(session) {
    if (!starts.has(session)) starts.set(session, run('session.created', session))
    return starts.get(session)
  }

  return {
    event: async ({ event }) => {
      const session = event?.properties?.info?.id
      if (session === undefined) return
      if (event.properties.info.parentID) subagents.add(session)
      if (event.type === 'session.created') await start(session)
      if (event.type === 'session.deleted') await run('session.deleted', session)
    },
    'tool.execute.before': async (input, output) => {
      if (!edits.includes(input?.tool)) return
      await start(input.sessionID)
      await run('tool.execute.before', input.sessionID, { tool_name: input.tool, tool_input: output?.args })
    },
    'tool.execute.after': async (input, output) => {
      if (!edits.includes(input?.tool) && input?.tool !== 'bash') return
      await start(input.sessionID)
      const { context } = await run('tool.execute.after', input.sessionID, { tool_name: input.tool })
      if (context && typeof output?.output === 'string') output.output += '\\n\\n' + context
    },
  }
}

function parse(text) {
  try {
    return JSON.parse(text || '{}') ?? {}
  } catch {
    return {}
  }
}
`
}

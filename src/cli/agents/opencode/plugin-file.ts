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
import { spawn, spawnSync } from 'node:child_process'

const command = ${JSON.stringify(command)}
// In ms. The command ends by itself before that.
const timeout = 10000
const edits = ['edit', 'multiedit', 'write', 'patch', 'apply_patch']

export const Headsup = async ({ directory }) => {
  const starts = new Map()
  const briefings = new Map()
  const subagents = new Set()

  function eventOf(name, session, more = {}) {
    const agent = subagents.has(session) ? { agent_id: session } : {}
    return JSON.stringify({ hook_event_name: name, session_id: session, cwd: directory, ...agent, ...more })
  }

  function run(name, session, more) {
    return new Promise((resolve) => {
      try {
        const child = spawn(command, { shell: true, cwd: directory, stdio: ['pipe', 'pipe', 'ignore'], timeout })
        let out = ''
        child.stdout.on('data', (chunk) => (out += chunk))
        child.stdin.on('error', () => {})
        child.on('error', () => resolve({}))
        child.on('close', () => resolve(parse(out)))
        child.stdin.end(eventOf(name, session, more))
      } catch {
        resolve({})
      }
    })
  }

  // A session that was created before opencode started begins with its next message.
  async function start(session) {
    if (!starts.has(session)) starts.set(session, run('session.created', session))
    const { context } = await starts.get(session)
    if (!briefings.has(session)) briefings.set(session, context)
  }

  // What the model learns of the session's start, once.
  function takeBriefing(session) {
    const text = briefings.get(session)
    if (text) briefings.set(session, '')
    return text ? [text] : []
  }

  return {
    event: async ({ event }) => {
      const session = event?.properties?.info?.id
      if (session === undefined) return
      if (event.properties.info.parentID) subagents.add(session)
      if (event.type === 'session.created') await start(session)
      if (event.type !== 'session.deleted') return
      starts.delete(session)
      await run('session.deleted', session)
    },
    // opencode does not wait for what this returns, so the command runs to its end here.
    dispose: async () => {
      for (const session of starts.keys()) {
        if (subagents.has(session)) continue
        const input = eventOf('session.deleted', session)
        spawnSync(command, { shell: true, cwd: directory, input, stdio: ['pipe', 'ignore', 'ignore'], timeout })
      }
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      if (subagents.has(sessionID)) return
      await start(sessionID)
      const last = parts?.at(-1)
      if (!last) return
      const part = { messageID: message.id, sessionID, type: 'text', synthetic: true }
      for (const text of takeBriefing(sessionID)) parts.push({ ...part, id: last.id + '0', text })
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
      for (const text of [...takeBriefing(input.sessionID), context]) {
        if (text && typeof output?.output === 'string') output.output += '\\n\\n' + text
      }
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

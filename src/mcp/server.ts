import { readFileSync } from 'node:fs'
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { logFault, toAppError } from '../http/error-handler.ts'
import type { RouteDeps } from '../http/route.ts'
import type { Log } from '../log.ts'
import { type Caller, callTool } from './call-tool.ts'
import { instructions } from './instructions.ts'
import { errorText } from './tool-error.ts'
import { listTools } from './tool-list.ts'
import { type Tool, tools } from './tools.ts'

/** The version of the program, as its package says. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

export interface McpDeps extends RouteDeps {
  log: Log
}

/** The server of one request: the caller's token is known to nothing else. */
export function buildServer(deps: McpDeps, caller: Caller): Server {
  const info = { name: 'headsup', title: 'Headsup', version }
  const server = new Server(info, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }))
  server.setRequestHandler('tools/call', ({ params }) =>
    answer(deps, toolNamed(params.name), params.arguments ?? {}, caller),
  )
  return server
}

function toolNamed(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool) return tool
  const known = tools.map((candidate) => candidate.name).join(', ')
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool. There are: ${known}.`)
}

/** What a tool throws would reach the model word for word, so that nothing gets past here but a refusal in our words. */
async function answer(
  deps: McpDeps,
  tool: Tool,
  args: Record<string, unknown>,
  caller: Caller,
): Promise<CallToolResult> {
  try {
    const structuredContent = await callTool(deps, tool, args, caller)
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
  } catch (thrown) {
    const error = toAppError(thrown)
    logFault(deps.log, error, caller.requestId)
    return { content: [{ type: 'text', text: errorText(error, caller.requestId) }], isError: true }
  }
}

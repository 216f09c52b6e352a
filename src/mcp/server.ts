import { readFileSync } from 'node:fs'
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { errorBody, logFault, toAppError } from '../http/middleware/error-handler.ts'
import { validate } from '../operations/validate.ts'
import { type Caller, callTool, type McpDeps } from './call-tool.ts'
import { instructions } from './instructions.ts'
import { errorText } from './tool-error.ts'
import { listTools } from './tool-list.ts'
import { type Tool, tools } from './tools.ts'

/** The version of the program, as its package says. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

/** The server of one request: the caller's token is known to nothing else. */
export function buildServer(deps: McpDeps, caller: Caller): Server {
  const info = { name: 'headsup', title: 'Headsup', version }
  const server = new Server(info, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }))
  // Registered as a handler, the SDK would judge the parameters first, and answer what zod says of them.
  server.fallbackRequestHandler = async ({ method, params }) => {
    if (method !== 'tools/call') {
      const { error } = errorBody(invalidField('method', 'invalid_value', 'is not known here'), caller.requestId)
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found', error)
    }
    const call = callOf(params, caller.requestId)
    return answer(deps, call.tool, call.args, caller)
  }
  return server
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As they came: zod's own objects leave out `__proto__`, and the route could not refuse it. */
const Arguments = z.custom<Record<string, unknown>>(isObject, {
  error: 'must be an object',
  params: { detail: 'invalid_type' },
})

const Call = z.looseObject({ name: z.string(), arguments: Arguments.default({}) })

/** The tool and its arguments; where there is no such tool, or they are no object, -32602 with the error of other routes. */
function callOf(params: unknown, requestId: string): { tool: Tool; args: Record<string, unknown> } {
  try {
    const { name, arguments: args } = validate(Call, params ?? {}, 'params')
    return { tool: toolNamed(name), args }
  } catch (thrown) {
    const error = toAppError(thrown)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, errorBody(error, requestId).error)
  }
}

function toolNamed(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool) return tool
  const known = tools.map((candidate) => candidate.name).join(', ')
  throw invalidField('name', 'invalid_value', `is no tool. There are: ${known}.`)
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

import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { invalidField } from '../../../core/errors.ts'
import { withoutHidden } from '../../../core/texts/quote.ts'
import { version } from '../../lib/version.ts'
import { type ErrorPlace, errorBody, logFault, toAppError } from '../http/middleware/error-handler.ts'
import { validate } from '../operations/validate.ts'
import { type Caller, callTool, type McpDeps } from './call-tool.ts'
import { instructions } from './instructions.ts'
import { errorText } from './tool-error.ts'
import { listTools } from './tool-list.ts'
import { type Tool, tools } from './tools.ts'
import { methodNotFound } from './unknown-method.ts'

/** Builds a server for one request, so that no other request can use the caller's token. */
export function buildServer(deps: McpDeps, caller: Caller): Server {
  const info = { name: 'headsup', title: 'Headsup', version }
  const server = new Server(info, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }))
  // If tools/call had a handler, the SDK would check the parameters first and send the text of zod.
  server.fallbackRequestHandler = async ({ method, params }) => {
    if (method !== 'tools/call') {
      const { code, message, data } = methodNotFound(caller)
      throw new ProtocolError(code, message, data)
    }
    const call = parseCall(params, caller)
    return runTool(deps, call.tool, call.args, caller)
  }
  return server
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Unchanged: an object schema of zod would drop `__proto__`, and the operation could not reject it. */
const Arguments = z.custom<Record<string, unknown>>(isObject, {
  error: 'must be an object',
  params: { detail: 'invalid_type' },
})

const Call = z.looseObject({ name: z.string(), arguments: Arguments.default({}) })

/** Returns the tool and its arguments. Throws -32602 with the error of the API if there is no such tool or no object. */
function parseCall(params: unknown, place: ErrorPlace): { tool: Tool; args: Record<string, unknown> } {
  try {
    const { name, arguments: args } = validate(Call, params ?? {}, 'params')
    return { tool: toolNamed(name), args }
  } catch (thrown) {
    const error = toAppError(thrown)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, errorBody(error, place).error)
  }
}

function toolNamed(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool) return tool
  const known = tools.map((candidate) => candidate.name).join(', ')
  throw invalidField('name', 'invalid_value', `is no tool. There are: ${known}.`)
}

/** Runs the tool. The SDK would send an exception to the model word for word, so every one becomes an error of the API. */
async function runTool(
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
    return { content: [{ type: 'text', text: withoutHidden(errorText(error, caller.requestId)) }], isError: true }
  }
}

import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { resultSchema, type ToolsByResult, toolsByResult } from './result-schema.ts'
import { inputSchema } from './tool-schema.ts'
import { type Tool, tools } from './tools.ts'

/** MCP requires an object schema at the root. */
const Root = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()),
  required: z.array(z.string()).optional(),
})

function listed(tool: Tool, others: ToolsByResult): ListedTool {
  const { name, title, description, effect, repeatable } = tool
  return {
    name,
    title,
    description,
    inputSchema: Root.parse(inputSchema(tool)),
    outputSchema: Root.parse(resultSchema(tool, others)),
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'overwrites',
      idempotentHint: effect === 'reads' || repeatable === true,
      openWorldHint: false,
    },
  }
}

function listAll(): ListedTool[] {
  const others = toolsByResult(tools)
  return tools.map((tool) => listed(tool, others))
}

let list: ListedTool[] | undefined

/** The result of `tools/list`. It is built on the first call. */
export function listTools(): ListedTool[] {
  list ??= listAll()
  return list
}

import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { inputSchema, outputSchema } from './tool-schema.ts'
import { type Tool, tools } from './tools.ts'

/** MCP requires an object schema at the root. */
const Root = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()),
  required: z.array(z.string()),
})

function listed(tool: Tool): ListedTool {
  const { name, title, description, effect, repeatable } = tool
  return {
    name,
    title,
    description,
    inputSchema: Root.parse(inputSchema(tool)),
    outputSchema: Root.parse(outputSchema(tool)),
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'overwrites',
      idempotentHint: effect === 'reads' || repeatable === true,
      openWorldHint: false,
    },
  }
}

let list: ListedTool[] | undefined

/** The result of `tools/list`. It is built on the first call. */
export function listTools(): ListedTool[] {
  list ??= tools.map(listed)
  return list
}

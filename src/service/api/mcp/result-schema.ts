import { inlineSchema } from '../http/openapi/schemas.ts'
import type { JsonSchema } from '../http/openapi/tidy-schema.ts'
import { hasOthersText, introductionField } from './results/others-text.ts'
import { leftOutOfOverlap } from './results/shorten-lists.ts'
import type { Tool } from './tools.ts'

/** How many objects inside each other the schema of a result describes. */
const describedObjects = 2

/** The names of tools by the schemas of their results, as JSON. */
export type ToolsByResult = ReadonlyMap<string, string>

const answerSchema = ({ route }: Tool) => inlineSchema(route.answer, 'response')

export function toolsByResult(tools: readonly Tool[]): ToolsByResult {
  return new Map(tools.map((tool) => [JSON.stringify(answerSchema(tool)), tool.name]))
}

/** The schema of a tool's result. A part that is the result of another tool is only named. */
export function resultSchema(tool: Tool, others: ToolsByResult): JsonSchema {
  const { properties, ...schema } = described(answerSchema(tool), describedObjects, others)
  const remark = (tool.remark ?? tool.remarkBefore)?.description ?? tool.shortenedRemark
  return {
    ...schema,
    properties: {
      ...(hasOthersText(tool) && { [introductionField]: { type: 'string' } }),
      ...properties,
      ...(remark !== undefined && { remark: { type: 'string', description: remark } }),
    },
  }
}

/**
 * Only the names and types of the fields: all that the API says of them would be most of the list of tools. Nothing is
 * required and no values are named, as a client hides a result that does not match, also of a call that changed something.
 */
function described(schema: JsonSchema, objects: number, others: ToolsByResult): JsonSchema {
  const { type, anyOf = [], properties, items, minItems, maxItems } = schema
  const all = objects > 0 ? Object.entries(properties ?? {}) : []
  const fields = all.filter(([name]) => !leftOutOfOverlap.has(name))
  const types = type ?? anyOf.flatMap((one) => one.type ?? [])
  const inner = fields.map(([name, field]) => [name, partSchema(field, objects - 1, others)])
  return {
    ...(types.length > 0 && { type: types }),
    ...(fields.length > 0 && { properties: Object.fromEntries(inner) }),
    ...(items !== undefined && { items: partSchema(items, objects, others) }),
    ...(minItems !== undefined && minItems === maxItems && { minItems, maxItems }),
  }
}

function partSchema(part: JsonSchema['items'], objects: number, others: ToolsByResult): JsonSchema {
  const schema = typeof part === 'object' && !Array.isArray(part) ? part : {}
  const tool = others.get(JSON.stringify(schema))
  return tool ? { type: 'object', description: `As ${tool} returns it.` } : described(schema, objects, others)
}

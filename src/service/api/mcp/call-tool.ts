import { AppError, type ErrorDetail, invalidField } from '../../../core/errors.ts'
import { issueDetails } from '../../lib/issue-details.ts'
import type { Log } from '../../lib/log.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { SlotOf } from '../http/limits/api-slots.ts'
import { logFault, toAppError } from '../http/middleware/error-handler.ts'
import { allOperations } from '../http/routes/api.ts'
import type { Operation, OperationCall, OperationDeps, RequestSlot } from '../operations/define.ts'
import { readIdempotencyKey } from '../operations/idempotency-key.ts'
import { validate, validationFailed } from '../operations/validate.ts'
import { queryOf } from './query-arguments.ts'
import type { CallOperation, Remark } from './remark.ts'
import { hideAuthorsWords } from './results/authors-words.ts'
import { hasOthersText, introduceText } from './results/others-text.ts'
import { addressSchema } from './tool-schema.ts'
import type { Tool } from './tools.ts'

export interface McpDeps extends OperationDeps {
  log: Log
  slotOf: SlotOf
}

/** The caller of a tool. */
export interface Caller {
  token: string
  clientAddress: string
  requestId: string
  waitMs?: number | undefined
  /** The address of the service for clients. */
  publicUrl: string
  slot: RequestSlot
  /** Called when GitHub has granted access. */
  onRepository(repository: Repository): void
}

type Arguments = Record<string, unknown>

function keyOf(key: unknown): string | undefined {
  if (key === undefined || typeof key === 'string') return readIdempotencyKey(key, 'idempotency_key')
  throw invalidField('idempotency_key', 'invalid_type', 'must be a string')
}

function faultsOf(check: () => unknown): readonly ErrorDetail[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof AppError) return error.details
    throw error
  }
}

/**
 * Turns the call of a tool into a call of its operation. Throws `validation_failed` if the path arguments are invalid, with the
 * faults of the others, which the operation would find only with a repository.
 */
function routeCall({ route, ...tool }: Tool, args: Arguments, caller: Caller): OperationCall {
  const schema = addressSchema({ route, ...tool })
  const own = Object.fromEntries(Object.entries(args).filter(([name]) => !Object.hasOwn(schema.shape, name)))
  const { idempotency_key, ...fields } = own
  const sent = route.takesIdempotencyKey ? fields : own
  const isGet = route.method === 'get'
  const addressed = schema.safeParse(args)
  if (!addressed.success) {
    const faults = issueDetails(addressed.error, { input: args, root: 'arguments' })
    const others = faultsOf(() =>
      isGet ? validate(route.query, queryOf(route, sent), 'query') : validate(route.body, sent, 'body'),
    )
    throw validationFailed([...faults, ...others])
  }
  const address = addressed.data
  const { repository = '' } = address
  const [owner = '', repo = ''] = repository.split('/')
  const { onRepository, slot, publicUrl: _publicUrl, ...who } = caller
  return {
    caller: { ...who, owner, repo },
    slot,
    id: (tool.idArgument && address[tool.idArgument]) ?? '',
    url: '',
    onRepository,
    query: () => (isGet ? queryOf(route, sent) : {}),
    idempotencyKey: () => keyOf(idempotency_key),
    lastEventId: () => undefined,
    body: async () => (isGet ? undefined : sent),
  }
}

function routeOf(operationId: string): Operation {
  const route = allOperations.find((candidate) => candidate.operationId === operationId)
  if (!route) throw new Error(`No such operation: ${operationId}`)
  return route
}

/** Performs the tool's operation and returns its body. Throws the errors of the operation. */
export async function callTool(
  deps: McpDeps,
  tool: Tool,
  args: Arguments,
  caller: Caller,
): Promise<Record<string, unknown>> {
  const call = routeCall(tool, { ...tool.defaults, ...args }, caller)
  const ask: CallOperation = async (operationId, query = {}) => {
    const route = routeOf(operationId)
    return route.perform(deps, { ...call, query: () => queryOf(route, query), body: async () => undefined })
  }
  // Whether the operation succeeds does not depend on a remark, so its failure is only logged.
  const write = (remark: Remark | undefined) =>
    remark?.write(ask, args).catch((thrown: unknown) => {
      logFault(deps.log, toAppError(thrown), caller.requestId)
      return undefined
    })
  const before = await write(tool.remarkBefore)
  const { body } = await tool.route.perform(deps, call)
  const answer = hideAuthorsWords({ ...asObject(body) })
  const remark = before ?? (await write(tool.remark))
  const shown = { ...(tool.shorten?.(answer) ?? answer), ...(remark !== undefined && { remark }) }
  return hasOthersText(tool) ? introduceText(shown) : shown
}

function asObject(body: unknown): object {
  if (typeof body === 'object' && body !== null) return body
  throw new Error('The answer of a route is no object')
}

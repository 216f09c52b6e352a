import type { Reply } from '../operations/define.ts'

/** Calls another operation on the same record, as the same caller. */
export type AskOperation = (operationId: string) => Promise<Reply>

/** What a tool's answer lacks for a model, in a sentence or two; undefined where nothing is lacking. Where it throws, the answer goes without. */
export type Remark = (ask: AskOperation) => Promise<string | undefined>

/** A session begins, or a tool has run. */
export type Moment = 'session-start' | 'after-tool'

/**
 * How long the work of a hook may take, in ms. The first one bounds its input and its work together, so that no hook takes as long
 * as the time-out that `hook install` gives its agent.
 */
export const limitsMs: Record<Moment, number> = { 'session-start': 4_000, 'after-tool': 1_500 }

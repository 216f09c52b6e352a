/** The part of pino's interface that the code uses. Fields come before the message, as in pino. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What was thrown, for the log. If a host name has several addresses, each attempt to connect has an error of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : 'unknown'
}

import type { IncomingMessage } from 'node:http'
import type { AppError } from '../../errors.ts'

const faults = new WeakMap<IncomingMessage, AppError>()
const broken = Symbol('broken')

/** Says that the rest of a body can't be had: whoever reads it, now or later, is told the error. */
export function abortBody(request: IncomingMessage, error: AppError): void {
  faults.set(request, error)
  request.emit(broken)
}

/** Tells of the error with which the body breaks, or broke. */
export function onAbortedBody(request: IncomingMessage, told: (error: AppError) => void): void {
  const tell = () => {
    const error = faults.get(request)
    if (error) told(error)
  }
  request.once(broken, tell)
  tell()
}

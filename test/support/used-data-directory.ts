import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inject } from 'vitest'

/** Copies a data directory that a service has used before. A start on the copy takes half as long as a first start. */
export async function copyUsedDataDirectory(to: string): Promise<void> {
  // It keeps the owner, which Node's own copy does not.
  await promisify(execFile)('cp', ['-a', `${inject('usedDataDirectory')}/.`, to])
}

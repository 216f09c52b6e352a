import { type ModelRequest, textsIn } from './model/model.ts'

/** The texts of a request of the model that contain these words. */
export function told(request: ModelRequest | undefined, words: string): string[] {
  if (!request) throw new Error('The agent asked its model less often than the script expects.')
  return textsIn(request).filter((text) => text.includes(words))
}

import type { Cast } from './cast.ts'
import type { Stage } from './stage.ts'
import type { StoryPrinter } from './story-printer.ts'

/** What every chapter uses. */
export interface StoryContext {
  cast: Cast
  stage: Stage
  printer: StoryPrinter
  /** Begins a chapter after a pause for the reader. */
  chapter(title: string): Promise<void>
}

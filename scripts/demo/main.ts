import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoryEnds } from './cast.ts'
import { repository, tokens } from './github-data.ts'
import { createStage, type Stage } from './stage.ts'
import { runStory } from './story.ts'
import { createStoryPrinter } from './story-printer.ts'

/** `--script`: prints the story without pauses, and ends. */
const isScript = process.argv.includes('--script')
const isWatched = process.stdout.isTTY && !isScript
const readingMs = 2_500

const printer = createStoryPrinter((line) => console.log(line), process.stdout.isTTY && !process.env.NO_COLOR)
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
// The reader of the output has closed it.
process.stdout.on('error', () => ending.abort())

async function play(stage: Stage): Promise<void> {
  printer.say(
    'Headsup tells people and coding agents what is going on in a repository before they start. This demo shows it with no account and no network: a stand-in plays GitHub on this machine. Every request is a curl that you can paste while the demo runs.',
  )
  printer.say('Starting the stand-in, and Headsup with a PostgreSQL of its own …')
  await stage.startGithub()
  await stage.startHeadsup()
  await showPage(stage)
  try {
    await runStory(stage, printer, async () => {
      if (isWatched) await sleep(readingMs)
    })
  } catch (error) {
    if (isScript || !(error instanceof StoryEnds)) throw error
    return printer.say(error.message)
  }
  printer.say('That was the story.')
}

/** Opens the page for somebody who watches. It follows the story by itself. */
async function showPage(stage: Stage): Promise<void> {
  const { headsupUrl } = stage
  printer.say(
    `The page of the repository follows the story as it goes on. Sign in there with the token ${tokens.ana}: ${headsupUrl}/${repository}`,
  )
  if (isWatched) await stage.openPage()
}

async function stay({ headsupUrl, githubUrl }: Stage): Promise<void> {
  printer.say(
    `Headsup and the stand-in keep running, so the curls above can be pasted. The tokens ${tokens.ana}, ${tokens.ben} and ${tokens.agent} may push to acme/shop, ${tokens.olga} may not see it. Ctrl-C ends the demo and deletes its data. With your own repositories: npm start.`,
  )
  printer.say(`The page (sign in with ${tokens.ana}): ${headsupUrl}/${repository}`)
  printer.say(`The API: ${headsupUrl}/docs`)
  printer.say(`The stand-in for GitHub: ${githubUrl}`)
  await new Promise(() => {})
}

async function run(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-demo-'))
  // As root, PostgreSQL runs as another user, who must be able to reach its data.
  await chmod(directory, 0o755)
  const stage = await createStage(directory, printer, isScript)
  let isTold = false
  const ended = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))
  const playing = play(stage).then(() => {
    isTold = true
    return isScript ? undefined : stay(stage)
  })
  try {
    await Promise.race([playing, ended])
    return isTold ? 0 : 1
  } finally {
    await stage.leave()
    await rm(directory, { recursive: true, force: true })
  }
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  },
)

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { type Github, startGithub } from '../github/start.ts'
import { type Program, startProgram } from '../program.ts'

export interface BuiltService {
  url: string
  github: Github
  program: Program
  databaseUrl: string
}

/**
 * Runs the built service for the tests of a `describe`, with a stand-in for GitHub and a database of its own. The result
 * has values from `beforeAll` on.
 */
export function useBuiltService(settings: Record<string, string> = {}): BuiltService {
  let started: BuiltService | undefined
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const github = await startGithub()
    stops.push(github.stop)
    const database = await createTestDatabase()
    stops.push(database.drop)
    const directory = await mkdtemp(join(tmpdir(), 'headsup-browser-'))
    stops.push(() => rm(directory, { recursive: true }))
    const own = { HOST: '127.0.0.1', DATABASE_URL: database.url, GITHUB_API_URL: github.url }
    const program = await startProgram({ ...own, ...settings }, directory)
    stops.push(() => program.end())
    started = { url: program.url, github, program, databaseUrl: database.url }
  })
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const current = () => {
    if (!started) throw new Error('the service is not started')
    return started
  }
  return {
    get url() {
      return current().url
    },
    get github() {
      return current().github
    },
    get program() {
      return current().program
    },
    get databaseUrl() {
      return current().databaseUrl
    },
  }
}

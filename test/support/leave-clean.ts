import nock from 'nock'
import { afterAll } from 'vitest'

/** Test files of a worker share its process, and with it what they import. So each leaves the process as it found it. */
const environment = { ...process.env }

afterAll(() => {
  nock.cleanAll()
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name]
  Object.assign(process.env, environment)
})

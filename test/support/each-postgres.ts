import { afterAll, beforeAll, describe } from 'vitest'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'
import { type StockPostgres, startStockPostgres, stockVersion } from './stock-postgres.ts'

type StartService = (options?: TestServiceOptions) => Promise<TestService>

/** Describes tests of plans on the embedded PostgreSQL and on an older one, which plans otherwise. The latter are skipped where there is none. */
export function describeOnEachPostgres(name: string, tests: (start: StartService) => void): void {
  describe(`${name} on the embedded PostgreSQL`, () => tests(startTestService))
  describe.skipIf(stockVersion === undefined)(`${name} on PostgreSQL ${stockVersion ?? 'of the system'}`, () => {
    let postgres: StockPostgres
    beforeAll(async () => {
      postgres = await startStockPostgres()
    })
    afterAll(() => postgres.stop())
    tests((options) => startTestService({ createDatabase: () => postgres.createDatabase(), ...options }))
  })
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'

const require = createRequire(import.meta.url)
let loaded: Promise<void> | undefined

/** The glue that wasm-bindgen exports beside what its types name. */
function glue(name: string): (...values: unknown[]) => unknown {
  const found: unknown = Reflect.get(bindings, name)
  if (typeof found !== 'function') throw new Error(`The schema engine has no ${name}`)
  return (...values) => Reflect.apply(found, undefined, values)
}

/** Node has no `import` of WebAssembly yet, so the module is instantiated by hand; once a process. */
async function load(): Promise<void> {
  const directory = dirname(require.resolve('@prisma/schema-engine-wasm'))
  const bytes = await readFile(join(directory, 'schema_engine_bg.wasm'))
  const imports: Record<string, unknown> = { ...bindings }
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports })
  glue('__wbg_set_wasm')(instance.exports)
  const start: unknown = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
}

/** A script as PostgreSQL reads it. The adapter would cut it at every semicolon, those in texts and bodies too. */
function withWholeScripts(factory: PrismaPg): PrismaPg {
  const connect = factory.connect.bind(factory)
  return Object.assign(factory, {
    async connect() {
      const adapter = await connect()
      const run = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] })
      async function executeScript(script: string) {
        await run('savepoint script')
        try {
          await run(script)
        } catch (error) {
          // The engine writes down what went wrong, before it says so.
          await run('rollback to savepoint script').catch(() => {})
          throw error
        }
      }
      return Object.assign(adapter, { executeScript })
    },
  })
}

/**
 * Prisma's schema engine as WebAssembly: what `prisma migrate` runs, without its downloaded binary. It leaves its
 * connections open: the caller ends the pool. To apply migrations, the caller has a transaction open on the pool's only connection.
 */
export async function createSchemaEngine(pool: pg.Pool): Promise<bindings.SchemaEngine> {
  loaded ??= load()
  await loaded
  const factory = bindMigrationAwareSqlAdapterFactory(withWholeScripts(new PrismaPg(pool)))
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, factory)
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'

const require = createRequire(import.meta.url)
let loaded: Promise<void> | undefined

/** A function of wasm-bindgen that its types do not name. */
function glue(name: string): (...values: unknown[]) => unknown {
  const found: unknown = Reflect.get(bindings, name)
  if (typeof found !== 'function') throw new Error(`The schema engine has no ${name}`)
  return (...values) => Reflect.apply(found, undefined, values)
}

/** Instantiates the module by hand: the supported versions of Node do not import WebAssembly. */
async function load(): Promise<void> {
  const directory = dirname(require.resolve('@prisma/schema-engine-wasm'))
  const bytes = await readFile(join(directory, 'schema_engine_bg.wasm'))
  const imports: Record<string, unknown> = { ...bindings }
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': imports })
  glue('__wbg_set_wasm')(instance.exports)
  const start: unknown = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
}

/**
 * Prisma's schema engine as WebAssembly: what `prisma migrate` runs, without its downloaded binary. It leaves its
 * connections open: the caller ends the pool.
 */
export async function createSchemaEngine(pool: pg.Pool): Promise<bindings.SchemaEngine> {
  loaded ??= load()
  await loaded
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool))
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, factory)
}

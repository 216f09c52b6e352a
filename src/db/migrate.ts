import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MigrationDirectory, MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { createSchemaEngine } from './schema-engine.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ownMigrations = join(root, 'prisma/migrations')

/** Any number that no other program on the database is likely to lock. */
const lockId = 4_861_730_001

/** The migrations of a directory, as the schema engine takes them. */
export async function readMigrations(baseDir = ownMigrations): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const read = async (path: string): Promise<MigrationDirectory> => ({
    path,
    migrationFile: {
      path: 'migration.sql',
      content: { tag: 'ok', value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8') },
    },
  })
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.sort().map(read)),
  }
}

/**
 * Applies the migrations that the database does not have yet, as `prisma migrate deploy` does, in whose table it keeps
 * them. An advisory lock makes instances that start at once wait for one another.
 */
export async function migrate(
  databaseUrl: string,
  { migrationsDir = ownMigrations } = {},
): Promise<{ applied: string[] }> {
  const lock = new pg.Client({ connectionString: databaseUrl })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  await lock.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [lockId])
    const engine = await createSchemaEngine(pool)
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(migrationsDir),
      filters: { externalTables: [], externalEnums: [] },
    })
    return { applied: appliedMigrationNames }
  } finally {
    await pool.end()
    await lock.end()
  }
}

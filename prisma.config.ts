import { defineConfig } from 'prisma/config'

// `prisma generate` never runs the schema engine, yet the CLI would download it first. Naming any program in its
// place keeps generation offline; every other command of the CLI still fetches and uses the real engine.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

const url = process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})

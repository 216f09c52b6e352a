import pg from 'pg'

declare module 'pg' {
  interface Client {
    /** The parameters of the startup message. `pg` calls it, its types leave it out. */
    getStartupConf(): Record<string, string>
  }
}

/**
 * Prisma's adapter sends timestamps without an offset and ignores the offset of those it reads, and `pg` parses dates in the
 * ISO style only. The server, the database and the role may each set other values.
 */
const session = { TimeZone: 'UTC', DateStyle: 'ISO, MDY' }

/**
 * A connection whose session is in UTC. Startup parameters override the settings of server, database and role, and cost no
 * statement. PgBouncer in transaction mode keeps these two for each client, while it loses a `SET` and refuses `options`. The
 * values are spelled as PostgreSQL reports them: PgBouncer compares them as text, and sends a `SET` wherever they differ.
 */
export class UtcClient extends pg.Client {
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...session }
  }
}

/** A pool of such connections. */
export function createPool(config: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...config, Client: UtcClient })
}

/** SQL: whether the session's time zone has no offset, in winter and in summer, and its dates are of the ISO style. */
export const isUtc = `array['2026-01-01 00:00Z', '2026-07-01 00:00Z']::timestamptz[]::text = '{"2026-01-01 00:00:00+00","2026-07-01 00:00:00+00"}'`

import { StartError } from '../../core/errors.ts'

/** The first of the migrations that are now one. Later ones came in another order than that of their names: two were the last. */
const first = '20261121000000_init'
const last = ['20261214000400_issues_mark_reports', '20261216000300_report_paces_of_notables']

/**
 * Whether a database has all migrations of before 0.1.0, and so the schema of the first migration of now. Throws `StartError` if it
 * has only some of them.
 */
export function hasFormerMigrations(applied: ReadonlySet<string>): boolean {
  if (!applied.has(first)) return false
  if (last.every((name) => applied.has(name))) return true
  throw new StartError(
    'the database of DATABASE_URL is of an early version of Headsup: start commit 33c57b54 of Headsup on it once, then this version, or use a new database',
  )
}

/**
 * Applied to such a database in place of the first migration, whose text is `init`: what still differs. The functions are replaced by
 * those of `init`.
 */
export function fromFormerMigrations(init: string): string {
  return [
    differences,
    ...(init.match(functions) ?? []).map((text) => text.replace('create', 'create or replace')),
  ].join('\n')
}

const functions = /^create function .*?\$\$;$/gms

const differences = `
  set local lock_timeout = '5s';
  drop index activities_repository_id_branch_idx;
  create index activities_branch_repository_id_idx on activities (branch, repository_id);
  drop index activities_live_branch_idx;
  create index activities_recorded_branch_idx on activities (repository_id, branch, id) where source = 'recorded' and ended_at is null;
  drop index pull_requests_put_aside_idx;
  create index pull_requests_put_aside_idx on pull_requests (repository_id, number)
    where state = 'open' and put_aside_by is not null and activity_id is null;
  alter table activities
    alter column repository_id reset (n_distinct),
    validate constraint activities_archived_reason_check,
    validate constraint activities_branch_check;
  alter table scope_keys alter column repository_id reset (n_distinct);
  alter table change_log validate constraint change_log_kind_check;
  alter table report_paces alter column written_at set not null;
  drop trigger copy_spent_seal on service_facts;
  drop function copy_spent_seal();
  delete from service_facts where name like '%:%';
  delete from _prisma_migrations;`

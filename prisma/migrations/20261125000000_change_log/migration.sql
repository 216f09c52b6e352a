-- Which records changed, for the streams of events. Triggers write it, so that no statement can forget it.
-- A reader that goes by `txid` up to the oldest open transaction misses no row, whatever order transactions commit in.
set local lock_timeout = '5s';

create table change_log (
    repository_id bigint not null,
    txid xid8 not null default pg_current_xact_id(),
    seq bigint generated always as identity,
    kind text collate "C" not null check (kind in ('activity', 'notable')),
    record_id text collate "C" not null,
    at timestamptz(3) not null default clock_timestamp(),
    constraint change_log_pkey primary key (repository_id, txid, seq)
);
create index change_log_at_idx on change_log (at);

create function log_change() returns trigger language plpgsql as $$
begin
  insert into change_log (repository_id, kind, record_id) values (new.repository_id, tg_argv[0], new.id);
  return null;
end $$;

create trigger activities_log_insert after insert on activities
  for each row execute function log_change('activity');
create trigger notables_log_insert after insert on notables
  for each row execute function log_change('notable');
create trigger notables_log_update after update on notables
  for each row when (old.updated_at is distinct from new.updated_at) execute function log_change('notable');

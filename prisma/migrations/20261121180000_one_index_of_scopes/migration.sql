-- A check asks for live and for merged work at once: where both stand in one place, each of its look-ups is one instead of two.
-- The version before goes on writing "state" and "indexed", and finds what it asks for by these indexes too.
-- On a large table, make the two indexes by hand beforehand, concurrently: docs/upgrading.md.
set local lock_timeout = '5s';

-- Each can answer its own kind of look-up alone: PostgreSQL 18 would skip through the other, and think it as cheap.
create unique index if not exists scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail);
create index if not exists scope_keys_repository_id_kind_tail_activity_id_idx on scope_keys (repository_id, kind, tail, activity_id);

alter table scope_keys alter column state set default 'live';
alter table scope_keys drop constraint scope_keys_pkey, add constraint scope_keys_pkey primary key using index scope_keys_by_key;
drop index scope_keys_repository_id_state_kind_tail_key_activity_id_idx;

-- What a look-up is thought to cost must not hang on how much the repository has: PostgreSQL would plan each check anew.
alter table scope_keys alter column repository_id set statistics 0;
alter table notables alter column repository_id set statistics 0;

alter table activities alter column indexed set default 'live';
drop index activities_to_move_idx;

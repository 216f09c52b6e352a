-- A check asks for live and for merged work at once: where both stand in one place, each of its look-ups is one instead of two.
-- The version before goes on writing "state", and finds what it asks for by these indexes too. No lock on "activities" is
-- taken: those who create hold one while they wait for "scope_keys".
-- On a large table, make the two indexes by hand beforehand, concurrently: CHANGELOG.md.
set local lock_timeout = '5s';

do $$
begin
  if exists (
    select from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'scope_keys'::regclass
       and case relname
         when 'scope_keys_by_key'
           then not (indisvalid and indisunique and pg_get_indexdef(indexrelid) like '%(repository_id, kind, key, activity_id, tail)')
         when 'scope_keys_repository_id_kind_tail_activity_id_idx'
           then not (indisvalid and pg_get_indexdef(indexrelid) like '%(repository_id, kind, tail, activity_id)')
         else false
       end)
  then
    raise exception 'an index of scope_keys that was made by hand is not valid, or not as CHANGELOG.md has it: drop it, and start again';
  end if;
end $$;

-- Each can answer its own kind of look-up alone: PostgreSQL 18 would skip through the other, and think it as cheap.
create unique index if not exists scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail);
create index if not exists scope_keys_repository_id_kind_tail_activity_id_idx on scope_keys (repository_id, kind, tail, activity_id);

alter table scope_keys alter column state set default 'live';
alter table scope_keys drop constraint scope_keys_pkey, add constraint scope_keys_pkey primary key using index scope_keys_by_key;
drop index scope_keys_repository_id_state_kind_tail_key_activity_id_idx;

-- A look-up has to be thought as dear for one repository as for any other, or PostgreSQL would plan each check anew; and a repository
-- to have many entries, or an index that knows nothing of keys would look as good. So it learns that there are 200, and no more of them.
alter table scope_keys alter column repository_id set statistics 1;
alter table scope_keys alter column repository_id set (n_distinct = 200);
analyze scope_keys (repository_id);
alter table scope_keys alter column repository_id set statistics 0;
alter table notables alter column repository_id set statistics 0;

-- Without statistics, as on the first day, PostgreSQL took the former indexes for the keys of a check: it read all entries of a
-- repository, with the first one again for each key. The new ones cannot serve it: the first is only for statements about
-- suffixes, and the second begins with the activity. On a large table, make both by hand beforehand, concurrently: CHANGELOG.md.
-- The former version finds the same without the old index of suffixes, and slower.
set local lock_timeout = '5s';

do $$
begin
  if exists (
    select from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'scope_keys'::regclass
       and (relname = 'scope_keys_by_tail_idx'
            and not (indisvalid and pg_get_indexdef(indexrelid) like '%(repository_id, kind, tail, activity_id) WHERE (tail >= %')
         or relname = 'scope_keys_activity_id_repository_id_idx'
            and not (indisvalid and pg_get_indexdef(indexrelid) like '%(activity_id, repository_id)')))
  then
    raise exception 'an index of scope_keys that was made by hand is not valid, or not as CHANGELOG.md has it: drop it, and start again';
  end if;
end $$;

create index if not exists scope_keys_by_tail_idx on scope_keys (repository_id, kind, tail, activity_id) where tail >= '';
drop index scope_keys_repository_id_kind_tail_activity_id_idx;
create index if not exists scope_keys_activity_id_repository_id_idx on scope_keys (activity_id, repository_id);
drop index scope_keys_repository_id_activity_id_idx;

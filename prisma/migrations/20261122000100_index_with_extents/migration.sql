-- The extent stands in the index, since what is looked up there is not looked up in the table. Checks go on meanwhile; those who
-- create wait. No lock on "activities" is taken.
-- On a large table, add the column and make the index by hand beforehand, concurrently: CHANGELOG.md.
set local lock_timeout = '5s';

do $$
begin
  if exists (
    select from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'scope_keys'::regclass and relname = 'scope_keys_with_extent'
       and not (indisvalid and indisunique and pg_get_indexdef(indexrelid) like '%(repository_id, kind, key, activity_id, tail) INCLUDE (extent)'))
  then
    raise exception 'the index of scope_keys that was made by hand is not valid, or not as CHANGELOG.md has it: drop it, and start again';
  end if;
end $$;

alter table scope_keys validate constraint scope_keys_extent_check;
create unique index if not exists scope_keys_with_extent on scope_keys (repository_id, kind, key, activity_id, tail) include (extent);
alter table scope_keys drop constraint scope_keys_pkey, add constraint scope_keys_pkey primary key using index scope_keys_with_extent;

-- How much of what lies at a key is meant tells of most pairs of scopes that they overlap, so that a check need not read the
-- activity. It stands in the index, since what is looked up there is not looked up in the table. What is there already, and what the
-- version before goes on writing, is taken for a part, which tells nothing. No lock on "activities" is taken.
-- On a large table, add the column and make the index by hand beforehand, concurrently: CHANGELOG.md.
set local lock_timeout = '5s';

alter table scope_keys add column if not exists extent smallint not null default 0 check (extent between 0 and 2);

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

create unique index if not exists scope_keys_with_extent on scope_keys (repository_id, kind, key, activity_id, tail) include (extent);
alter table scope_keys drop constraint scope_keys_pkey, add constraint scope_keys_pkey primary key using index scope_keys_with_extent;

-- A check follows a stack of branches from one pair of branch and base branch to the next, and reads the newest work of each pair.
-- No other index can answer that in order, since only these two hold a branch as this expression: nothing hangs on what
-- PostgreSQL thinks of the size of a repository or a branch.
-- Creates wait while the two are built. On a large table, create them by hand beforehand, concurrently: see CHANGELOG.md.
set local lock_timeout = '5s';

do $$
begin
  if exists (
    select from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'activities'::regclass
       and case relname
         when 'activities_live_by_branch_idx'
           then not (indisvalid and pg_get_indexdef(indexrelid) like '%(repository_id, COALESCE(branch, ''''::text), COALESCE(base_branch, ''''::text), id) WHERE (ended_at IS NULL)')
         when 'activities_live_by_base_idx'
           then not (indisvalid and pg_get_indexdef(indexrelid) like '%(repository_id, COALESCE(base_branch, ''''::text), COALESCE(branch, ''''::text), id) WHERE (ended_at IS NULL)')
         else false
       end)
  then
    raise exception 'an index of activities that was made by hand is not valid, or not as in CHANGELOG.md: drop it, and start again';
  end if;
end $$;

create index if not exists activities_live_by_branch_idx on activities (repository_id, coalesce(branch, ''), coalesce(base_branch, ''), id) where ended_at is null;
create index if not exists activities_live_by_base_idx on activities (repository_id, coalesce(base_branch, ''), coalesce(branch, ''), id) where ended_at is null;

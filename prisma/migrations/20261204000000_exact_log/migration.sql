-- Two more kinds of rows. `repository`: so much changed at once that readers begin anew. `mark`: the oldest transaction that was
-- open at a time, for the deletion of old rows; its repository is 0.
set local lock_timeout = '5s';

alter table change_log
  drop constraint change_log_kind_check,
  add constraint change_log_kind_check check (kind in ('activity', 'notable', 'repository', 'mark')) not valid;

create function log_row(of_repository bigint, of_kind text, id text) returns void language plpgsql as $$
begin
  insert into change_log (repository_id, kind, record_id) values (of_repository, of_kind, id);
end $$;

-- Which work covers which may have changed, and so what is shown of both: the observed work on a branch or of a pull request, and
-- the newest recorded work there, with the one before it. Where nothing is observed, nothing is covered.
create function log_cover(of_repository bigint, of_branch text, of_number integer, is_observed boolean) returns void
language plpgsql as $$
begin
  insert into change_log (repository_id, kind, record_id)
  select of_repository, 'activity', activity_id from (
    select activity_id from pull_requests where repository_id = of_repository and number = of_number and state = 'open'
    union
    select activity_id from pull_requests
     where repository_id = of_repository and head_ref = of_branch and head_repository_id = of_repository and state = 'open'
    union
    select activity_id from pushed_branches where repository_id = of_repository and branch = of_branch) as observed
   where activity_id is not null;
  if not (found or is_observed) then
    return;
  end if;
  insert into change_log (repository_id, kind, record_id)
  select of_repository, 'activity', id from (
    (select id from activities
      where repository_id = of_repository and branch = of_branch and source = 'recorded' and ended_at is null
      order by id desc limit 2)
    union
    (select id from activities
      where repository_id = of_repository and pr_repository_id = of_repository and pr_number = of_number
        and source = 'recorded' and ended_at is null
      order by id desc limit 2)) as recorded;
end $$;

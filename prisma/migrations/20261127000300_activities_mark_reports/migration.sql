-- Recorded work may cover a pull request, and its risk weighs. So its changes mark pull requests, too.
set local lock_timeout = '5s';

create function mark_reports_of_work() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select pull.repository_id, pull.number, true
    from pull_requests as pull
   where pull.repository_id = new.repository_id and pull.state = 'open'
     and (pull.head_ref in (old.branch, new.branch) or pull.number in (old.pr_number, new.pr_number))
     and exists (select from observed_repositories where repository_id = new.repository_id and by_app)
   order by pull.number
  on conflict (repository_id, number) do update
    set spreads = true, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

create trigger activities_mark_reports_insert after insert on activities
  for each row when (new.source = 'recorded' and (new.branch is not null or new.pr_number is not null))
  execute function mark_reports_of_work();
create trigger activities_mark_reports_update after update on activities
  for each row when (
    (old.branch, old.pr_repository_id, old.pr_number, old.blocking, old.risk, old.ended_at is null)
    is distinct from
    (new.branch, new.pr_repository_id, new.pr_number, new.blocking, new.risk, new.ended_at is null))
  execute function mark_reports_of_work();

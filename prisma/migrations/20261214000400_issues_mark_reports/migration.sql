-- Recorded work that covers a pull request may name issues of its own.
set local lock_timeout = '5s';

drop trigger activities_mark_reports_update on activities;
create trigger activities_mark_reports_update after update on activities
  for each row when (
    (old.branch, old.pr_repository_id, old.pr_number, old.blocking, old.risk, old.issues, old.ended_at is null)
    is distinct from
    (new.branch, new.pr_repository_id, new.pr_number, new.blocking, new.risk, new.issues, new.ended_at is null))
  execute function mark_reports_of_work();

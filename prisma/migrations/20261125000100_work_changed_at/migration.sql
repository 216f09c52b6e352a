-- When the scope, the branch or the liveness of an activity last changed, so that every instance says alike since when two
-- activities collide. Null: never since it began. A change of files sets it too (src/activity/details/changes.sql.ts).
set local lock_timeout = '5s';

alter table activities add column work_changed_at timestamptz(3);

create function note_changed_work() returns trigger language plpgsql as $$
begin
  new.work_changed_at := new.updated_at;
  return new;
end $$;

create trigger activities_note_changed_work before update on activities
  for each row when (
    (old.paths, old.area_keys, old.branch, old.base_branch, old.pr_repository_id, old.pr_number, old.ended_at is null)
    is distinct from
    (new.paths, new.area_keys, new.branch, new.base_branch, new.pr_repository_id, new.pr_number, new.ended_at is null))
  execute function note_changed_work();

-- Two changes within a millisecond, or by instances whose clocks differ, may leave "updated_at" as it is. Heartbeats change none
-- of these columns.
create trigger activities_log_update after update on activities
  for each row when (
    (old.updated_at, old.work_changed_at, old.status, old.title, old.summary, old.risk, old.blocking, old.draft_pr, old.pr_url,
     old.branch, old.base_branch, old.paths, old.area_keys, old.has_changes)
    is distinct from
    (new.updated_at, new.work_changed_at, new.status, new.title, new.summary, new.risk, new.blocking, new.draft_pr, new.pr_url,
     new.branch, new.base_branch, new.paths, new.area_keys, new.has_changes))
  execute function log_change('activity');

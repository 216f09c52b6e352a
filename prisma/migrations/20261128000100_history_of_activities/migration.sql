-- Heartbeats change none of the columns in the condition.
set local lock_timeout = '5s';

alter table activities add column changed_by text;

create trigger activities_note_history_insert before insert on activities
  for each row execute function note_history();
create trigger activities_note_history_update before update on activities
  for each row when (
    new.changed_by is not null or
    (old.title, old.summary, old.actor, old.agent, old.status, old.risk, old.branch, old.base_branch, old.areas, old.paths,
     old.pr_url, old.draft_pr, old.blocking, old.archived_reason)
    is distinct from
    (new.title, new.summary, new.actor, new.agent, new.status, new.risk, new.branch, new.base_branch, new.areas, new.paths,
     new.pr_url, new.draft_pr, new.blocking, new.archived_reason))
  execute function note_history('title', 'summary', 'actor', 'agent', 'status', 'risk', 'branch', 'base_branch', 'pr_url',
    'draft_pr', 'blocking', 'archived_reason');
create trigger activities_delete_history after delete on activities
  for each row execute function delete_history();

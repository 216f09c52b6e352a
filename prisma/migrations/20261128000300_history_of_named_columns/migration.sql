-- The trigger is for statements that name one of these columns, and so does not concern heartbeats at all. To evaluate the
-- condition took a tenth of the time of a heartbeat in PostgreSQL.
set local lock_timeout = '5s';

drop trigger activities_note_history_update on activities;
create trigger activities_note_history_update
  before update of changed_by, title, summary, actor, agent, status, risk, branch, base_branch, areas, paths, pr_url, draft_pr,
    blocking, archived_reason on activities
  for each row when (
    new.changed_by is not null or
    (old.title, old.summary, old.actor, old.agent, old.status, old.risk, old.branch, old.base_branch, old.areas, old.paths,
     old.pr_url, old.draft_pr, old.blocking, old.archived_reason)
    is distinct from
    (new.title, new.summary, new.actor, new.agent, new.status, new.risk, new.branch, new.base_branch, new.areas, new.paths,
     new.pr_url, new.draft_pr, new.blocking, new.archived_reason))
  execute function note_history('title', 'summary', 'actor', 'agent', 'status', 'risk', 'branch', 'base_branch', 'pr_url',
    'draft_pr', 'blocking', 'archived_reason');

-- Changed issues change what work is about, as a changed scope does: they are indexed, they are in the history, and they say since
-- when two activities collide. The issues of an observed pull request are shown on the recorded work that covers it, too.
set local lock_timeout = '5s';

create function index_issues() returns trigger language plpgsql as $$
begin
  delete from activity_issues
   where repository_id = new.repository_id and activity_id = new.id and number <> all (new.issues);
  insert into activity_issues (repository_id, number, activity_id)
  select new.repository_id, number, new.id from unnest(new.issues) as number
  on conflict do nothing;
  return null;
end $$;

create trigger activities_index_issues_insert after insert on activities
  for each row when (new.issues <> '{}') execute function index_issues();
create trigger activities_index_issues_update after update of issues on activities
  for each row when (old.issues <> new.issues) execute function index_issues();

drop trigger activities_note_changed_work on activities;
create trigger activities_note_changed_work before update on activities
  for each row when (
    (old.paths, old.area_keys, old.branch, old.base_branch, old.pr_repository_id, old.pr_number, old.issues, old.ended_at is null)
    is distinct from
    (new.paths, new.area_keys, new.branch, new.base_branch, new.pr_repository_id, new.pr_number, new.issues, new.ended_at is null))
  execute function note_changed_work();

drop trigger activities_note_history_update on activities;
create trigger activities_note_history_update
  before update of changed_by, title, summary, actor, agent, status, risk, branch, base_branch, areas, paths, issues, pr_url,
    draft_pr, blocking, archived_reason on activities
  for each row when (
    new.changed_by is not null or
    (old.title, old.summary, old.actor, old.agent, old.status, old.risk, old.branch, old.base_branch, old.areas, old.paths,
     old.issues, old.pr_url, old.draft_pr, old.blocking, old.archived_reason)
    is distinct from
    (new.title, new.summary, new.actor, new.agent, new.status, new.risk, new.branch, new.base_branch, new.areas, new.paths,
     new.issues, new.pr_url, new.draft_pr, new.blocking, new.archived_reason))
  execute function note_history('title', 'summary', 'actor', 'agent', 'status', 'risk', 'branch', 'base_branch', 'issues', 'pr_url',
    'draft_pr', 'blocking', 'archived_reason');

create or replace function log_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform log_row(old.repository_id, 'activity', old.id);
    if old.ended_at is null then
      perform log_row(old.repository_id, 'repository', '');
    end if;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    old.heartbeat_at := new.heartbeat_at;
    old.expires_at := greatest(old.expires_at, new.expires_at);
    old.expires_hour := new.expires_hour;
    old.pr_event_at := new.pr_event_at;
    old.seen_branch := new.seen_branch;
    old.changed_by := new.changed_by;
    if old *= new then
      return null;
    end if;
  end if;
  perform log_row(new.repository_id, 'activity', new.id);
  if tg_op = 'INSERT' then
    perform log_cover_of(new);
  elsif (old.source, old.branch, old.pr_repository_id, old.pr_number, old.pr_url is null, old.ended_at is null)
    is distinct from (new.source, new.branch, new.pr_repository_id, new.pr_number, new.pr_url is null, new.ended_at is null)
  then
    perform log_cover_of(old);
    perform log_cover_of(new);
  elsif new.source <> 'recorded' and old.issues <> new.issues then
    perform log_cover_of(new);
  end if;
  return null;
end $$;

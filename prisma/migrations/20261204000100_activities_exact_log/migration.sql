-- All columns are compared, so that none can be forgotten, whatever their type. Those that do not count are made equal before:
-- a heartbeat moves two, and the others are for the service alone.
set local lock_timeout = '5s';

create function log_cover_of(activity activities) returns void language plpgsql as $$
begin
  perform log_cover(activity.repository_id, activity.branch,
    case when activity.pr_repository_id = activity.repository_id then activity.pr_number end, activity.source <> 'recorded');
end $$;

create function log_activity() returns trigger language plpgsql as $$
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
  end if;
  return null;
end $$;

drop trigger activities_log_insert on activities;
drop trigger activities_log_update on activities;
create trigger activities_log after insert or update or delete on activities
  for each row execute function log_activity();

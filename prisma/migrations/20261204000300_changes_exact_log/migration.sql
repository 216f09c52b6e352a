set local lock_timeout = '5s';

create function log_changes() returns trigger language plpgsql as $$
begin
  perform log_row(coalesce(new.repository_id, old.repository_id), 'activity', coalesce(new.activity_id, old.activity_id));
  return null;
end $$;

create trigger activity_changes_log after insert or update or delete on activity_changes
  for each row execute function log_changes();

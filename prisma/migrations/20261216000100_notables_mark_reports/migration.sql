-- A blocking or critical notable stands in the titles of check runs. Its expiry is no change of a row: the job looks at its end.
set local lock_timeout = '5s';

create function mark_notable() returns trigger language plpgsql as $$
begin
  insert into notable_marks (repository_id, notable_id) values (new.repository_id, new.id)
  on conflict (repository_id, notable_id) do update set seq = nextval('notable_marks_seq'), due_at = 'epoch';
  return null;
end $$;

create trigger notables_mark_reports_insert after insert on notables
  for each row when (new.blocking or new.importance = 'critical')
  execute function mark_notable();
create trigger notables_mark_reports_update after update on notables
  for each row when (
    (old.blocking or old.importance = 'critical' or new.blocking or new.importance = 'critical')
    and new.status <> 'expired'
    and (old.blocking, old.importance, old.applies_until, old.expires_at, old.ended_at is null)
    is distinct from
    (new.blocking, new.importance, new.applies_until, new.expires_at, new.ended_at is null))
  execute function mark_notable();

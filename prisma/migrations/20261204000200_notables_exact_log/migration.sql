set local lock_timeout = '5s';

create function log_notable() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.changed_by := new.changed_by;
    if old *= new then
      return null;
    end if;
  end if;
  if tg_op = 'DELETE' then
    perform log_row(old.repository_id, 'notable', old.id);
    if old.ended_at is null then
      perform log_row(old.repository_id, 'repository', '');
    end if;
  else
    perform log_row(new.repository_id, 'notable', new.id);
  end if;
  return null;
end $$;

drop trigger notables_log_insert on notables;
drop trigger notables_log_update on notables;
create trigger notables_log after insert or update or delete on notables
  for each row execute function log_notable();
drop function log_change();

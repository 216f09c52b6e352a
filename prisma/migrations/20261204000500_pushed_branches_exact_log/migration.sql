set local lock_timeout = '5s';

create function log_cover_of(pushed pushed_branches) returns void language plpgsql as $$
begin
  if pushed.activity_id is not null then
    perform log_row(pushed.repository_id, 'activity', pushed.activity_id);
    perform log_cover(pushed.repository_id, pushed.branch, null, true);
  end if;
end $$;

create function log_pushed_branch() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.read_attempts := new.read_attempts;
    old.read_after := new.read_after;
    if old *= new then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    perform log_cover_of(old);
  end if;
  if tg_op <> 'DELETE' then
    perform log_cover_of(new);
  end if;
  return null;
end $$;

create trigger pushed_branches_log after insert or update or delete on pushed_branches
  for each row execute function log_pushed_branch();

-- What GitHub says of a pull request changes what is shown of its record, and which recorded work covers that. The columns that
-- are made equal say how far it is read, or are copied to no answer.
set local lock_timeout = '5s';

create function log_cover_of(pull pull_requests) returns void language plpgsql as $$
begin
  if pull.activity_id is not null then
    perform log_row(pull.repository_id, 'activity', pull.activity_id);
  end if;
  perform log_cover(pull.repository_id,
    case when pull.head_repository_id = pull.repository_id then pull.head_ref end, pull.number, true);
end $$;

create function log_pull_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.push_reported_sha := new.push_reported_sha;
    old.github_updated_at := new.github_updated_at;
    old.read_attempts := new.read_attempts;
    old.read_after := new.read_after;
    old.unread_since := new.unread_since;
    old.marked_by_webhook := new.marked_by_webhook;
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

create trigger pull_requests_log after insert or update or delete on pull_requests
  for each row execute function log_pull_request();

-- The numbers after GitHub's closing keywords in title and body. Where they change, its check run is looked at, too.
set local lock_timeout = '5s';

alter table pull_requests add column issues integer[] not null default '{}';

drop trigger pull_requests_mark_report on pull_requests;
create trigger pull_requests_mark_report after update on pull_requests
  for each row when (
    (old.state, old.base_ref, old.draft, old.activity_id, old.files_head_sha, old.issues, old.read_attempts >= 3)
    is distinct from
    (new.state, new.base_ref, new.draft, new.activity_id, new.files_head_sha, new.issues, new.read_attempts >= 3)
    and (new.state <> 'open' or new.files_head_sha = new.head_sha or new.read_attempts >= 3))
  execute function mark_report_of_pull_request();

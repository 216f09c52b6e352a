-- Which pull requests' check runs are to be looked at. Triggers mark, so that no statement can forget it. Only where the App
-- reads the repository are there check runs.
set local lock_timeout = '5s';

create function mark_report_of_pull_request() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select new.repository_id, new.number, true
   where exists (select from observed_repositories where repository_id = new.repository_id and by_app)
  on conflict (repository_id, number) do update
    set spreads = true, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

create function forget_report_of_pull_request() returns trigger language plpgsql as $$
begin
  delete from report_marks where repository_id = old.repository_id and number = old.number;
  delete from pull_request_reports where repository_id = old.repository_id and number = old.number;
  return null;
end $$;

-- Files were saved, could not be read three times, or a pull request ended or changed its base branch, draft state or record.
create trigger pull_requests_mark_report after update on pull_requests
  for each row when (
    (old.state, old.base_ref, old.draft, old.activity_id, old.files_head_sha, old.read_attempts >= 3)
    is distinct from
    (new.state, new.base_ref, new.draft, new.activity_id, new.files_head_sha, new.read_attempts >= 3)
    and (new.state <> 'open' or new.files_head_sha = new.head_sha or new.read_attempts >= 3))
  execute function mark_report_of_pull_request();

create trigger pull_requests_forget_report after delete on pull_requests
  for each row execute function forget_report_of_pull_request();

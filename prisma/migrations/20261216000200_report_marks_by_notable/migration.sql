-- Check runs that a notable marked are written after all others. Any other mark takes their place.
set local lock_timeout = '5s';

alter table report_marks add column by_notable boolean not null default false;

create or replace function mark_report_of_pull_request() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select new.repository_id, new.number, true
   where exists (select from observed_repositories where repository_id = new.repository_id and by_app)
  on conflict (repository_id, number) do update
    set spreads = true, by_notable = false, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

create or replace function mark_reports_of_work() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select pull.repository_id, pull.number, true
    from pull_requests as pull
   where pull.repository_id = new.repository_id and pull.state = 'open'
     and (pull.head_ref in (old.branch, new.branch) or pull.number in (old.pr_number, new.pr_number))
     and exists (select from observed_repositories where repository_id = new.repository_id and by_app)
   order by pull.number
  on conflict (repository_id, number) do update
    set spreads = true, by_notable = false, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

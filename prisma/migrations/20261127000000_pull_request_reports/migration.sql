-- The check runs that the App writes on pull requests, and the pull requests whose check runs are to be looked at.
set local lock_timeout = '5s';

alter table observed_repositories
    add column may_write_checks boolean not null default false,
    add column reports_since timestamptz(3),
    add column suites_set_at timestamptz(3),
    add column installation_url text;

create table pull_request_reports (
    repository_id bigint not null check (repository_id > 0),
    head_sha text not null,
    number integer not null check (number > 0),
    shadow boolean not null,
    check_run_id bigint,
    conclusion text not null check (conclusion in ('success', 'neutral')),
    title text not null,
    fresh_conclusion text not null check (fresh_conclusion in ('success', 'neutral')),
    fresh_title text not null,
    named integer[] not null,
    same_lines integer[] not null,
    written_at timestamptz(3) not null,
    constraint pull_request_reports_pkey primary key (repository_id, head_sha)
);
create index pull_request_reports_repository_id_number_idx on pull_request_reports (repository_id, number);

-- At most one row for each pull request. A mark that comes while a job looks has a new "seq", and so is kept.
create sequence report_marks_seq;
create table report_marks (
    repository_id bigint not null check (repository_id > 0),
    number integer not null check (number > 0),
    spreads boolean not null,
    forced boolean not null default false,
    seq bigint not null default nextval('report_marks_seq'),
    attempts integer not null default 0,
    tried boolean not null default false,
    due_at timestamptz(3) not null default 'epoch',
    constraint report_marks_pkey primary key (repository_id, number)
);
alter sequence report_marks_seq owned by report_marks.seq;
create index report_marks_due_at_idx on report_marks (due_at);

-- Triggers mark, so that no statement can forget it. Only where the App reads the repository are there check runs.
create function mark_report_of_pull_request() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select new.repository_id, new.number, true
   where exists (select from observed_repositories where repository_id = new.repository_id and by_app)
  on conflict (repository_id, number) do update
    set spreads = true, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
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

create function forget_report_of_pull_request() returns trigger language plpgsql as $$
begin
  delete from report_marks where repository_id = old.repository_id and number = old.number;
  delete from pull_request_reports where repository_id = old.repository_id and number = old.number;
  return null;
end $$;

create trigger pull_requests_forget_report after delete on pull_requests
  for each row execute function forget_report_of_pull_request();

-- Recorded work may cover a pull request, and its risk weighs.
create function mark_reports_of_work() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select pull.repository_id, pull.number, true
    from pull_requests as pull
   where pull.repository_id = new.repository_id and pull.state = 'open'
     and (pull.head_ref in (old.branch, new.branch) or pull.number in (old.pr_number, new.pr_number))
     and exists (select from observed_repositories where repository_id = new.repository_id and by_app)
   order by pull.number
  on conflict (repository_id, number) do update
    set spreads = true, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

create trigger activities_mark_reports_insert after insert on activities
  for each row when (new.source = 'recorded' and (new.branch is not null or new.pr_number is not null))
  execute function mark_reports_of_work();
create trigger activities_mark_reports_update after update on activities
  for each row when (
    (old.branch, old.pr_repository_id, old.pr_number, old.blocking, old.risk, old.ended_at is null)
    is distinct from
    (new.branch, new.pr_repository_id, new.pr_number, new.blocking, new.risk, new.ended_at is null))
  execute function mark_reports_of_work();

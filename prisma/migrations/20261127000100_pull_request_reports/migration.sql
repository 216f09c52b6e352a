-- The check runs that the App writes on pull requests.
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

-- What GitHub last said about a pull request. Its row is locked before anybody decides whose record it is.
create table pull_requests (
    repository_id bigint not null check (repository_id > 0),
    number integer not null check (number > 0),
    state text not null check (state in ('open', 'merged', 'closed')),
    title text not null,
    draft boolean not null,
    head_sha text not null,
    head_ref text not null,
    head_repository_id bigint,
    head_owner text,
    base_ref text not null,
    author_login text,
    author_id bigint,
    author_association text not null,
    opened_at timestamptz(3) not null,
    pushed_at timestamptz(3) not null,
    push_reported_sha text,
    github_updated_at timestamptz(3) not null,
    commits text[] not null default '{}',
    activity_id text collate "C",
    files_head_sha text,
    read_attempts integer not null default 0,
    read_after timestamptz(3) not null,
    unread_since timestamptz(3),
    marked_by_webhook boolean not null default false,
    put_aside_by text,
    put_aside_head_sha text,
    constraint pull_requests_pkey primary key (repository_id, number)
);
create index pull_requests_open_head_idx on pull_requests (repository_id, head_ref) where state = 'open';
create index pull_requests_unread_idx on pull_requests (read_after) where state = 'open' and files_head_sha is distinct from head_sha;
create index pull_requests_not_open_idx on pull_requests (github_updated_at) where state <> 'open';

-- How far the open pull requests of a repository are read.
create table observed_repositories (
    repository_id bigint not null check (repository_id > 0),
    completed_at timestamptz(3),
    walked_at timestamptz(3),
    newest_updated_at timestamptz(3),
    failed_at timestamptz(3),
    listed_at timestamptz(3),
    asked_at timestamptz(3),
    by_app boolean not null default false,
    ignored_by_attributes jsonb,
    attributes_read_at timestamptz(3),
    constraint observed_repositories_pkey primary key (repository_id)
);

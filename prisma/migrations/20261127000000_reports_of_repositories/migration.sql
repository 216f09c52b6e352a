-- Whether the App may write check runs in a repository, and since when it does.
set local lock_timeout = '5s';

alter table observed_repositories
    add column may_write_checks boolean not null default false,
    add column reports_since timestamptz(3),
    add column suites_set_at timestamptz(3),
    add column installation_url text;

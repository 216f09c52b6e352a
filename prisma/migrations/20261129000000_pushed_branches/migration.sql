-- The last push of each observed branch. Its row is locked before anybody decides whose record the branch is.
set local lock_timeout = '5s';

create table pushed_branches (
    repository_id bigint not null check (repository_id > 0),
    branch text not null check (char_length(branch) between 1 and 255),
    head_sha text,
    pushed_at timestamptz(3) not null,
    pusher_login text,
    pusher_id bigint,
    commits text[] not null default '{}',
    activity_id text collate "C",
    files_head_sha text,
    read_attempts integer not null default 0,
    read_after timestamptz(3) not null,
    constraint pushed_branches_pkey primary key (repository_id, branch)
);
create index pushed_branches_unread_idx on pushed_branches (read_after) where files_head_sha is distinct from head_sha;
create index pushed_branches_pushed_at_idx on pushed_branches (pushed_at);

-- The files and lines that an activity changes: what GitHub says and what the client says stand side by side.
create table activity_changes (
    repository_id bigint not null,
    activity_id text collate "C" not null,
    by text collate "C" not null check (by in ('github', 'client')),
    head_sha text check (char_length(head_sha) <= 64),
    files jsonb not null,
    files_total integer not null check (files_total >= 0),
    files_known integer not null generated always as (jsonb_array_length(files)) stored,
    read_at timestamptz(3) not null,
    constraint activity_changes_pkey primary key (repository_id, activity_id, by),
    constraint activity_changes_activity_fkey foreign key (repository_id, activity_id) references activities (repository_id, id) on delete cascade on update no action
);

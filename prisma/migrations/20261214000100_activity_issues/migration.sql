-- An index of the issues of activities: a check finds by it the work for the same issue. Triggers on "activities" write it.
set local lock_timeout = '5s';

create table activity_issues (
    repository_id bigint not null,
    number integer not null,
    activity_id text collate "C" not null,
    constraint activity_issues_pkey primary key (repository_id, number, activity_id),
    constraint activity_issues_activity_fkey foreign key (repository_id, activity_id) references activities (repository_id, id) on delete cascade on update no action
);

-- When an activity is deleted, its rows are found by this.
create index activity_issues_activity_id_repository_id_idx on activity_issues (activity_id, repository_id);

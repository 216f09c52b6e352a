-- Blocking and critical notables whose check runs are to be looked at: at most one row for each. "due_at" is the change, or the
-- end of the notable.
set local lock_timeout = '5s';

create sequence notable_marks_seq;
create table notable_marks (
    repository_id bigint not null,
    notable_id text not null,
    seq bigint not null default nextval('notable_marks_seq'),
    due_at timestamptz(3) not null default 'epoch',
    constraint notable_marks_pkey primary key (repository_id, notable_id),
    constraint notable_marks_notable_fkey foreign key (repository_id, notable_id)
      references notables (repository_id, id) on delete cascade on update no action
);
alter sequence notable_marks_seq owned by notable_marks.seq;
create index notable_marks_due_at_idx on notable_marks (due_at);

insert into notable_marks (repository_id, notable_id)
select repository_id, id from notables where ended_at is null and (blocking or importance = 'critical');

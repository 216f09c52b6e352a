-- Without statistics, as on the first day, PostgreSQL took the former indexes for the keys of a check: it read all entries of a
-- repository, with the first one again for each key. The new ones cannot serve it: the first is only for statements about
-- suffixes, and the second begins with the activity.
set local lock_timeout = '5s';

create index if not exists scope_keys_by_tail_idx on scope_keys (repository_id, kind, tail, activity_id) where tail >= '';
drop index scope_keys_repository_id_kind_tail_activity_id_idx;
create index if not exists scope_keys_activity_id_repository_id_idx on scope_keys (activity_id, repository_id);
drop index scope_keys_repository_id_activity_id_idx;

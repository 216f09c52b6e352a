-- Nothing reads this column. Dropping it also drops the partial index "activities_to_move_idx" if it is still there.
set local lock_timeout = '5s';

alter table activities drop column indexed;

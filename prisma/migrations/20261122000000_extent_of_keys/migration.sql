-- How much of what lies at a key is meant tells of most pairs of scopes that they overlap, so that a check need not read the
-- activity. What is there already, and what the version before goes on writing, has none, and is read. The lock holds up all who
-- use the table, so that it is kept for a moment only: the rows are looked at in the next step.
set local lock_timeout = '5s';

alter table scope_keys add column if not exists extent smallint not null default 0;
alter table scope_keys add constraint scope_keys_extent_check check (extent between 0 and 2) not valid;

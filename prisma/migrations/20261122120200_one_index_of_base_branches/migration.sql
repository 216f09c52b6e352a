-- Nothing but a check followed base branches by this index, and it has another one now. By itself, since a migration that holds
-- a lock on a table and asks for a stronger one may end a request that does the same.
set local lock_timeout = '5s';

drop index activities_live_base_branch_idx;

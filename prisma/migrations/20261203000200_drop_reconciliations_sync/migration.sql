set local lock_timeout = '5s';

-- ETags are in memory, since GitHub binds them to a token that lasts an hour. `observed_repositories` has when a repository was listed.
drop table reconciliations;

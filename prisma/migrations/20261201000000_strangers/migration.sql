-- Only in a public repository may the author of a pull request from a fork be a stranger. Check runs need it without a caller.
set local lock_timeout = '5s';

alter table repositories add column is_public boolean;

-- GitHub does not list all files of a very large pull request. Every check asks which ones those are: mostly none.
set local lock_timeout = '5s';

alter table pull_requests add column partly_listed boolean not null default false;
create index pull_requests_partly_listed_idx on pull_requests (repository_id, number)
  where state = 'open' and partly_listed and activity_id is not null;

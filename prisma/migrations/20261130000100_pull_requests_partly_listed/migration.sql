-- GitHub does not list all files of a very large pull request. Every check asks which ones those are: mostly none.
set local lock_timeout = '5s';

alter table pull_requests add column partly_listed boolean not null default false;
create index pull_requests_partly_listed_idx on pull_requests (repository_id, number)
  where state = 'open' and partly_listed and activity_id is not null;

-- GitHub lists 3,000 files at most. A pull request that has exactly so many is corrected when it is read next.
update pull_requests as pull set partly_listed = true
  from activity_changes as changes
 where changes.repository_id = pull.repository_id and changes.activity_id = pull.activity_id
   and changes.by = 'github' and changes.files_total >= 3000 and pull.state = 'open';

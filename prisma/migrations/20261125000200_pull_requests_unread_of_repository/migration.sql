-- Every check asks whether a repository has pull requests whose files are not read. Mostly it has none.
create index pull_requests_unread_of_repository_idx on pull_requests (repository_id, read_after)
  where state = 'open' and files_head_sha is distinct from head_sha and activity_id is not null;

-- Which files count changes all pairs of a repository.
set local lock_timeout = '5s';

create function log_attributes() returns trigger language plpgsql as $$
begin
  perform log_row(new.repository_id, 'repository', '');
  return null;
end $$;

create trigger observed_repositories_log after update of ignored_by_attributes on observed_repositories
  for each row when (old.ignored_by_attributes is distinct from new.ignored_by_attributes)
  execute function log_attributes();

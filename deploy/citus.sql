-- Distributes the tables of Headsup on Citus, by repository. Run it once, on the coordinator, after the first start of the service,
-- in its database. Nothing else differs.
create extension if not exists citus;

select create_distributed_table('repositories', 'repository_id');
select create_distributed_table('activities', 'repository_id', colocate_with => 'repositories');
select create_distributed_table('places', 'repository_id', colocate_with => 'repositories');
select create_distributed_table('changed_files', 'repository_id', colocate_with => 'repositories');
select create_distributed_table('notables', 'repository_id', colocate_with => 'repositories');
select create_distributed_table('notable_places', 'repository_id', colocate_with => 'repositories');
select create_distributed_table('pull_requests', 'repository_id', colocate_with => 'repositories');
select create_distributed_table('check_runs', 'repository_id', colocate_with => 'repositories');
-- `jobs` and `facts` are of no repository, and stay on the coordinator.

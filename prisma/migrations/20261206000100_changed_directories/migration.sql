-- Lists show where changed files lie, without reading the files. PostgreSQL generates it, so that it is there for rows
-- of before, and for those that an older instance writes.
set local lock_timeout = '5s';

-- The directories of the files, cut to the greatest depth at which they are few and short (docs/rules.md#changed-directories).
create function changed_directories(files jsonb) returns text[] language sql immutable parallel safe as $$
  with directories as materialized (
    select distinct parts[1:least(8, cardinality(parts) - 1)] as parts
      from jsonb_array_elements(files) as file,
           unnest(array[file ->> 'path', file ->> 'previous_path']) as path,
           string_to_array(path, '/') as parts
     where path is not null),
  cut as (
    select distinct depth, coalesce(nullif(array_to_string(parts[1:depth], '/'), ''), '.') as directory
      from directories, generate_series(0, 8) as depth)
  select coalesce((
    select array_agg(directory order by directory collate "C") from cut
     group by depth having count(*) <= 20 and sum(octet_length(directory)) <= 2000 order by depth desc limit 1), '{}')
$$;

alter table activity_changes
  add column directories text[] not null generated always as (changed_directories(files)) stored;

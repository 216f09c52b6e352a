-- An index of the scopes of active notables, like "scope_keys" for activities: a check finds by it the notables that may match.
-- Creating the foreign key holds up writes to "notables" for the length of this migration, so none is missed by the insert below.
set local lock_timeout = '5s';

create table notable_scope_keys (
    repository_id bigint not null,
    kind text collate "C" not null check (kind in ('path', 'area', 'repository')),
    key text collate "C" not null check (octet_length(key) <= 800),
    tail text collate "C" not null check (octet_length(tail) <= 400),
    extent smallint not null default 0 check (extent between 0 and 2),
    notable_id text collate "C" not null,
    constraint notable_scope_keys_pkey primary key (repository_id, kind, key, notable_id, tail) include (extent),
    constraint notable_scope_keys_notable_fkey foreign key (repository_id, notable_id) references notables (repository_id, id) on delete cascade on update no action
);

-- Each kind of look-up can use one index only, whatever PostgreSQL thinks of the size of a repository: this one begins with the
-- notable, and the next one is used only where a statement says the same of the tail.
create index notable_scope_keys_notable_id_repository_id_idx on notable_scope_keys (notable_id, repository_id);
create index notable_scope_keys_by_tail_idx on notable_scope_keys (repository_id, kind, tail, notable_id) where tail >= '';

-- Plans must not depend on the repository, or PostgreSQL would make a new one for each check.
alter table notable_scope_keys alter column repository_id set statistics 0;

-- Globs are parsed by the program, not here. So an existing notable with paths gets an entry that every path finds: it is
-- compared with each check, as before, until it expires.
insert into notable_scope_keys (repository_id, kind, key, tail, notable_id)
select repository_id, 'area', area, '', id from notables cross join lateral (select distinct unnest(area_keys) as area) as areas where ended_at is null
union all
select repository_id, 'path', '', '', id from notables where ended_at is null and cardinality(paths) > 0
union all
select repository_id, 'repository', '', '', id from notables where ended_at is null and cardinality(paths) = 0 and cardinality(area_keys) = 0;

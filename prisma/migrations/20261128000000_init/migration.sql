-- The schema of Headsup: tables first, then what the triggers do, by purpose. What the columns mean is in prisma/schema.prisma.
--
-- Ids are compared byte by byte: sorting by id is sorting by creation.
--
-- The primary key of a table of records begins with the repository, and so does each statement about it.


-- Repositories and activities

create table repositories (
  repository_id bigint primary key check (repository_id > 0),
  owner text not null,
  name text not null,
  default_branch text not null,
  is_public boolean,
  updated_at timestamptz(3) not null
);
create index repositories_owner_name_idx on repositories (owner, name);

create table activities (
  repository_id bigint not null check (repository_id > 0),
  id text collate "C" not null check (id ~ '^act_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  title text not null check (char_length(title) between 1 and 200),
  summary text not null check (char_length(summary) between 1 and 2000),
  actor text not null check (char_length(actor) between 1 and 100),
  agent text check (char_length(agent) between 1 and 100),
  status text not null check (status in ('planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review', 'merged', 'abandoned', 'archived')),
  risk text not null check (risk in ('low', 'medium', 'high', 'critical')),
  -- Longer than the API allows: the branch of an observed pull request from a fork has the fork's owner before it.
  branch text check (char_length(branch) between 1 and 300),
  base_branch text check (char_length(base_branch) between 1 and 255),
  areas text[] not null check (cardinality(areas) <= 100),
  area_keys text[] not null,
  paths text[] not null check (cardinality(paths) <= 100),
  issues integer[] not null default '{}',
  issues_from text,
  pr_url text check (char_length(pr_url) <= 2048),
  pr_repository_id bigint,
  pr_number integer,
  pr_event_at timestamptz(3),
  draft_pr boolean not null,
  blocking boolean not null,
  source text not null default 'recorded' check (source in ('recorded', 'pull_request', 'branch')),
  author_login text,
  author_id bigint,
  edited_fields text[] not null default '{}',
  has_changes boolean not null default false,
  seen_branch text,
  heartbeat_at timestamptz(3),
  expires_at timestamptz(3) not null,
  expires_hour integer generated always as (floor(extract(epoch from (expires_at at time zone 'UTC')) / 3600)::integer) stored,
  opened_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  work_changed_at timestamptz(3),
  archived_at timestamptz(3),
  archived_reason text check (archived_reason in ('merged', 'closed', 'branch_deleted', 'expired', 'caller')),
  ended_at timestamptz(3),
  changed_by text,
  primary key (repository_id, id),
  constraint activities_expires_after_creation check (expires_at > created_at),
  constraint activities_archived_at_when_archived check ((status = 'archived') = (archived_at is not null)),
  constraint activities_archived_reason_when_archived check ((status = 'archived') = (archived_reason is not null)),
  constraint activities_ended_at_when_ended check ((status in ('merged', 'abandoned', 'archived')) = (ended_at is not null)),
  constraint activities_pr_is_whole check (pr_url is not null or pr_repository_id is null),
  constraint activities_pr_number_with_repository check ((pr_repository_id is null) = (pr_number is null))
);

-- No statistics about repositories: PostgreSQL then expects 200 of them, of one size. One plan of a check serves all
-- repositories, and a repository that grows before the next ANALYZE is still read by the keys that are asked for. The same for the
-- other tables that a check reads. No ANALYZE here: of a table that was empty at the last one PostgreSQL expects no rows.
alter table activities alter column repository_id set statistics 0;

create index activities_live_idx on activities (repository_id, id) where ended_at is null;
-- A heartbeat changes "expires_at" and "heartbeat_at" alone. No index has them, so that PostgreSQL can update the row in place
-- (HOT). The sweeper finds what is due by the hour, which most heartbeats leave as it is.
create index activities_due_idx on activities (expires_hour) where ended_at is null;
create index activities_ended_idx on activities (ended_at) where ended_at is not null;
create index activities_merged_idx on activities (repository_id, ended_at) where status = 'merged' or archived_reason = 'merged';
-- It begins with the branch, so that an activity is always found by its primary key. Of a table without statistics PostgreSQL
-- takes any index that begins with the repository for as good, and a connection keeps that plan for its foreign keys.
create index activities_branch_repository_id_idx on activities (branch, repository_id);
create index activities_recorded_branch_idx on activities (repository_id, branch, id) where source = 'recorded' and ended_at is null;
create index activities_pr_repository_id_pr_number_idx on activities (pr_repository_id, pr_number);
-- A check follows a stack of branches from one pair of branch and base branch to the next, both ways, and reads the newest work
-- of each pair. Only these two indexes hold a branch as this expression, so PostgreSQL can use no other, whatever it estimates.
create index activities_live_by_branch_idx on activities (repository_id, coalesce(branch, ''), coalesce(base_branch, ''), id) where ended_at is null;
create index activities_live_by_base_idx on activities (repository_id, coalesce(base_branch, ''), coalesce(branch, ''), id) where ended_at is null;

-- How the paths of a scope begin and end, and its areas. A check finds candidates in these indexes, and mostly decides by the
-- extent without reading the activity. Keys and tails are short enough for a b-tree.
create table scope_keys (
  repository_id bigint not null,
  kind text collate "C" not null check (kind in ('path', 'area')),
  key text collate "C" not null check (octet_length(key) <= 800),
  tail text collate "C" not null check (octet_length(tail) <= 400),
  extent smallint not null default 0 check (extent between 0 and 2),
  activity_id text collate "C" not null,
  primary key (repository_id, kind, key, activity_id, tail) include (extent),
  constraint scope_keys_activity_fkey foreign key (repository_id, activity_id) references activities (repository_id, id) on delete cascade
);
alter table scope_keys alter column repository_id set statistics 0;
-- Each kind of look-up can use one index only, so that a wrong estimate can't lead to another one. Keys are found by the primary
-- key. The tails are in a partial index, which PostgreSQL uses only for a statement that repeats its condition. The keys of an
-- activity are found by an index that begins with the activity.
create index scope_keys_by_tail_idx on scope_keys (repository_id, kind, tail, activity_id) where tail >= '';
create index scope_keys_activity_id_repository_id_idx on scope_keys (activity_id, repository_id);

-- The directories of changed files, cut to the greatest depth at which they are few and short (docs/rules.md#changed-directories).
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

-- The files and lines that an activity changes: what GitHub says and what the client says are two rows. Lists show the generated
-- columns, without reading the files.
create table activity_changes (
  repository_id bigint not null,
  activity_id text collate "C" not null,
  by text collate "C" not null check (by in ('github', 'client')),
  head_sha text check (char_length(head_sha) <= 64),
  files jsonb not null,
  files_total integer not null check (files_total >= 0),
  files_known integer not null generated always as (jsonb_array_length(files)) stored,
  directories text[] not null generated always as (changed_directories(files)) stored,
  read_at timestamptz(3) not null,
  primary key (repository_id, activity_id, by),
  constraint activity_changes_activity_fkey foreign key (repository_id, activity_id) references activities (repository_id, id) on delete cascade
);

-- The index of activities.issues: a check finds work for the same issue by it. A trigger writes it.
create table activity_issues (
  repository_id bigint not null,
  number integer not null,
  activity_id text collate "C" not null,
  primary key (repository_id, number, activity_id),
  constraint activity_issues_activity_fkey foreign key (repository_id, activity_id) references activities (repository_id, id) on delete cascade
);
-- For the deletion of an activity.
create index activity_issues_activity_id_repository_id_idx on activity_issues (activity_id, repository_id);


-- Notables

create table notables (
  repository_id bigint not null check (repository_id > 0),
  id text collate "C" not null check (id ~ '^ntb_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  title text not null check (char_length(title) between 1 and 200),
  summary text not null check (char_length(summary) between 1 and 2000),
  category text not null check (category in ('architecture', 'process', 'pattern', 'warning', 'migration', 'testing', 'security', 'dependency', 'api-contract', 'temporary-workaround', 'deprecation', 'release')),
  importance text not null check (importance in ('low', 'medium', 'high', 'critical')),
  status text not null check (status in ('active', 'archived', 'expired')),
  decision_url text check (char_length(decision_url) <= 2048),
  supersedes text[] not null check (cardinality(supersedes) <= 100),
  applies_until timestamptz(3),
  areas text[] not null check (cardinality(areas) <= 100),
  area_keys text[] not null,
  paths text[] not null check (cardinality(paths) <= 100),
  blocking boolean not null,
  author_login text,
  author_id bigint,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  ended_at timestamptz(3),
  changed_by text,
  primary key (repository_id, id),
  constraint notables_expires_after_creation check (expires_at > created_at),
  constraint notables_archived_at_when_archived check ((status = 'archived') = (archived_at is not null)),
  constraint notables_ended_at_when_ended check ((status = 'active') = (ended_at is null))
);
alter table notables alter column repository_id set statistics 0;
create index notables_active_idx on notables (repository_id, id) where ended_at is null;
create index notables_due_idx on notables (expires_at) where ended_at is null;
create index notables_ended_idx on notables (ended_at) where ended_at is not null;

-- Like scope_keys, of active notables. One about the whole repository has a single row of the kind 'repository'.
create table notable_scope_keys (
  repository_id bigint not null,
  kind text collate "C" not null check (kind in ('path', 'area', 'repository')),
  key text collate "C" not null check (octet_length(key) <= 800),
  tail text collate "C" not null check (octet_length(tail) <= 400),
  extent smallint not null default 0 check (extent between 0 and 2),
  notable_id text collate "C" not null,
  primary key (repository_id, kind, key, notable_id, tail) include (extent),
  constraint notable_scope_keys_notable_fkey foreign key (repository_id, notable_id) references notables (repository_id, id) on delete cascade
);
alter table notable_scope_keys alter column repository_id set statistics 0;
create index notable_scope_keys_by_tail_idx on notable_scope_keys (repository_id, kind, tail, notable_id) where tail >= '';
create index notable_scope_keys_notable_id_repository_id_idx on notable_scope_keys (notable_id, repository_id);


-- What GitHub says: settings files, pull requests and pushed branches

create table repository_settings (
  repository_id bigint primary key,
  owner text not null,
  file_values jsonb,
  file_repository text,
  file_path text,
  file_sha text,
  file_read_at timestamptz(3),
  problems jsonb not null,
  etag_repository text,
  etag text,
  checked_at timestamptz(3) not null,
  marks integer not null default 0,
  marks_read integer not null default 0
);

create table observed_repositories (
  repository_id bigint primary key check (repository_id > 0),
  completed_at timestamptz(3),
  walked_at timestamptz(3),
  newest_updated_at timestamptz(3),
  failed_at timestamptz(3),
  listed_at timestamptz(3),
  asked_at timestamptz(3),
  by_app boolean not null default false,
  ignored_by_attributes jsonb,
  attributes_read_at timestamptz(3),
  may_write_checks boolean not null default false,
  reports_since timestamptz(3),
  suites_set_at timestamptz(3),
  installation_url text
);

-- A row is locked before a transaction decides which record the pull request has.
create table pull_requests (
  repository_id bigint not null check (repository_id > 0),
  number integer not null check (number > 0),
  state text not null check (state in ('open', 'merged', 'closed')),
  title text not null,
  draft boolean not null,
  head_sha text not null,
  head_ref text not null,
  head_repository_id bigint,
  head_owner text,
  base_ref text not null,
  author_login text,
  author_id bigint,
  author_association text not null,
  opened_at timestamptz(3) not null,
  pushed_at timestamptz(3) not null,
  push_reported_sha text,
  github_updated_at timestamptz(3) not null,
  commits text[] not null default '{}',
  issues integer[] not null default '{}',
  activity_id text collate "C",
  files_head_sha text,
  partly_listed boolean not null default false,
  read_attempts integer not null default 0,
  read_after timestamptz(3) not null,
  unread_since timestamptz(3),
  marked_by_webhook boolean not null default false,
  put_aside_by text,
  put_aside_head_sha text,
  primary key (repository_id, number)
);
create index pull_requests_open_head_idx on pull_requests (repository_id, head_ref) where state = 'open';
create index pull_requests_not_open_idx on pull_requests (github_updated_at) where state <> 'open';
create index pull_requests_unread_idx on pull_requests (read_after) where state = 'open' and files_head_sha is distinct from head_sha;
-- Each check asks a repository for three kinds of pull requests, of which it mostly has none: those whose files are not read,
-- those that change more files than GitHub lists, and those that somebody put aside.
create index pull_requests_unread_of_repository_idx on pull_requests (repository_id, read_after)
  where state = 'open' and files_head_sha is distinct from head_sha and activity_id is not null;
create index pull_requests_partly_listed_idx on pull_requests (repository_id, number)
  where state = 'open' and partly_listed and activity_id is not null;
create index pull_requests_put_aside_idx on pull_requests (repository_id, number)
  where state = 'open' and put_aside_by is not null and activity_id is null;

-- A row is locked before a transaction decides which record the branch has.
create table pushed_branches (
  repository_id bigint not null check (repository_id > 0),
  branch text not null check (char_length(branch) between 1 and 255),
  head_sha text,
  pushed_at timestamptz(3) not null,
  pusher_login text,
  pusher_id bigint,
  commits text[] not null default '{}',
  activity_id text collate "C",
  files_head_sha text,
  read_attempts integer not null default 0,
  read_after timestamptz(3) not null,
  primary key (repository_id, branch)
);
create index pushed_branches_unread_idx on pushed_branches (read_after) where files_head_sha is distinct from head_sha;
create index pushed_branches_pushed_at_idx on pushed_branches (pushed_at);


-- Check runs

create table pull_request_reports (
  repository_id bigint not null check (repository_id > 0),
  head_sha text not null,
  number integer not null check (number > 0),
  shadow boolean not null,
  check_run_id bigint,
  conclusion text not null check (conclusion in ('success', 'neutral')),
  title text not null,
  fresh_conclusion text not null check (fresh_conclusion in ('success', 'neutral')),
  fresh_title text not null,
  named integer[] not null,
  same_lines integer[] not null,
  written_at timestamptz(3) not null,
  primary key (repository_id, head_sha)
);
create index pull_request_reports_repository_id_number_idx on pull_request_reports (repository_id, number);

-- Pull requests whose check runs have to be computed again, at most one row for each. A mark that is set again while a job
-- computes has a new "seq", so that the job does not delete it.
create sequence report_marks_seq;
create table report_marks (
  repository_id bigint not null check (repository_id > 0),
  number integer not null check (number > 0),
  spreads boolean not null,
  forced boolean not null default false,
  by_notable boolean not null default false,
  seq bigint not null default nextval('report_marks_seq'),
  attempts integer not null default 0,
  tried boolean not null default false,
  due_at timestamptz(3) not null default 'epoch',
  primary key (repository_id, number)
);
alter sequence report_marks_seq owned by report_marks.seq;
create index report_marks_due_at_idx on report_marks (due_at);

-- The same for blocking and critical notables: the check runs of the pull requests that they meet.
create sequence notable_marks_seq;
create table notable_marks (
  repository_id bigint not null,
  notable_id text not null,
  seq bigint not null default nextval('notable_marks_seq'),
  due_at timestamptz(3) not null default 'epoch',
  primary key (repository_id, notable_id),
  constraint notable_marks_notable_fkey foreign key (repository_id, notable_id) references notables (repository_id, id) on delete cascade
);
alter sequence notable_marks_seq owned by notable_marks.seq;
create index notable_marks_due_at_idx on notable_marks (due_at);

create table report_paces (
  owner text primary key,
  written_at timestamptz(3)[] not null,
  notable_written_at timestamptz(3)[] not null default '{}'
);


-- History and changes of records: triggers write both, so that no statement can forget it

create table record_history (
  repository_id bigint not null,
  record_id text collate "C" not null,
  seq bigint generated always as identity,
  at timestamptz(3) not null,
  -- A login, or 'app' for the service itself. Null: a caller whose account is not known.
  by text,
  change text not null check (change in ('created', 'updated', 'archived')),
  fields jsonb not null,
  primary key (repository_id, record_id, seq)
);

-- Which records changed, for the streams of events. A reader that goes by "txid" up to the oldest open transaction misses no row,
-- whatever order transactions commit in.
create table change_log (
  repository_id bigint not null,
  txid xid8 not null default pg_current_xact_id(),
  seq bigint generated always as identity,
  -- 'repository': so much changed at once that readers begin anew. 'mark', of repository 0: the oldest transaction that was open
  -- at a time, for the deletion of old rows.
  kind text collate "C" not null check (kind in ('activity', 'notable', 'repository', 'mark')),
  record_id text collate "C" not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (repository_id, txid, seq)
);
create index change_log_at_idx on change_log (at);


-- Requests and the service itself

create table idempotency_keys (
  repository_id bigint not null,
  key_hash text not null,
  body_hash text not null,
  record_id text not null,
  -- Not jsonb: the same answer is given again byte by byte.
  answer json,
  created_at timestamptz(3) not null,
  primary key (repository_id, key_hash)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

create table webhook_deliveries (
  guid text primary key,
  event text not null,
  handled_at timestamptz(3) not null
);
create index webhook_deliveries_handled_at_idx on webhook_deliveries (handled_at);

create table redeliveries (
  guid text primary key,
  attempts integer not null,
  requested_at timestamptz(3) not null
);
create index redeliveries_requested_at_idx on redeliveries (requested_at);

create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz(3) not null
);

create table call_budgets (
  account_id bigint primary key,
  calls integer not null,
  began_at timestamptz(3) not null
);

create table spent_seals (
  what text not null,
  hash text not null,
  spent_at timestamptz(3) not null,
  primary key (what, hash)
);

create table service_facts (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz(3) not null
);
-- The least version of Headsup that may run on this database (docs/upgrading.md). A migration that older programs can't run on
-- raises it.
insert into service_facts (name, value, updated_at) values ('least_version', '"0.1.0"', now());


-- Triggers on activities: the index of issues, and since when the work is what it is

create function index_issues() returns trigger language plpgsql as $$
begin
  delete from activity_issues
   where repository_id = new.repository_id and activity_id = new.id and number <> all (new.issues);
  insert into activity_issues (repository_id, number, activity_id)
  select new.repository_id, number, new.id from unnest(new.issues) as number
  on conflict do nothing;
  return null;
end $$;

create trigger activities_index_issues_insert after insert on activities
  for each row when (new.issues <> '{}') execute function index_issues();
create trigger activities_index_issues_update after update of issues on activities
  for each row when (old.issues <> new.issues) execute function index_issues();

-- Every instance says alike since when two activities collide. A change of files sets "work_changed_at" too
-- (src/service/records/activity/details/changes.sql.ts).
create function note_changed_work() returns trigger language plpgsql as $$
begin
  new.work_changed_at := new.updated_at;
  return new;
end $$;

create trigger activities_note_changed_work before update on activities
  for each row when (
    (old.paths, old.area_keys, old.branch, old.base_branch, old.pr_repository_id, old.pr_number, old.issues, old.ended_at is null)
    is distinct from
    (new.paths, new.area_keys, new.branch, new.base_branch, new.pr_repository_id, new.pr_number, new.issues, new.ended_at is null))
  execute function note_changed_work();


-- Triggers that write the history

-- The arguments are the columns whose changes are noted. A statement for a caller sets "changed_by" to the login, or to '' where
-- it is not known; it is never stored. Of observed work, scope and summary are noted only where a caller has set them.
create function note_history() returns trigger language plpgsql as $$
declare
  old_values jsonb;
  new_values jsonb;
  changed jsonb := '{}';
  author text := case when new.changed_by is null then 'app' else nullif(new.changed_by, '') end;
  entry bigint;
begin
  new.changed_by := null;
  if tg_op = 'INSERT' then
    insert into record_history (repository_id, record_id, at, by, change, fields)
    values (new.repository_id, new.id, new.created_at, author, 'created', '{}');
    return new;
  end if;
  old_values := to_jsonb(old);
  new_values := to_jsonb(new);
  if coalesce(new_values ->> 'source', 'recorded') <> 'recorded' then
    if not (new_values -> 'edited_fields') ? 'summary' then
      new_values := new_values || jsonb_build_object('summary', old_values -> 'summary');
    end if;
    if not (new_values -> 'edited_fields') ? 'scope' then
      new_values := new_values || jsonb_build_object('areas', old_values -> 'areas', 'paths', old_values -> 'paths');
    end if;
  end if;
  select coalesce(jsonb_object_agg(name, jsonb_build_array(old_values -> name, new_values -> name)), '{}') into changed
    from unnest(tg_argv) as name where old_values -> name is distinct from new_values -> name;
  if (old_values -> 'areas', old_values -> 'paths') is distinct from (new_values -> 'areas', new_values -> 'paths') then
    changed := changed || jsonb_build_object('scope', jsonb_build_array(
      jsonb_build_object('areas', old_values -> 'areas', 'paths', old_values -> 'paths'),
      jsonb_build_object('areas', new_values -> 'areas', 'paths', new_values -> 'paths')));
  end if;
  if changed = '{}' then
    return new;
  end if;
  insert into record_history (repository_id, record_id, at, by, change, fields)
  values (new.repository_id, new.id, new.updated_at, author,
    case when old.status <> 'archived' and new.status = 'archived' then 'archived' else 'updated' end, changed)
  returning seq into entry;
  -- Now and then all but the newest 1,000 of the record are deleted.
  if entry % 64 = 0 then
    delete from record_history as old_entry
     where old_entry.repository_id = new.repository_id and old_entry.record_id = new.id and old_entry.seq <= (
       select seq from record_history where repository_id = new.repository_id and record_id = new.id
        order by seq desc offset 1000 limit 1);
  end if;
  return new;
end $$;

create function delete_history() returns trigger language plpgsql as $$
begin
  delete from record_history where repository_id = old.repository_id and record_id = old.id;
  return null;
end $$;

create trigger activities_note_history_insert before insert on activities
  for each row execute function note_history();
-- Only for statements that name one of these columns, which heartbeats do not: evaluating the condition took a tenth of the time
-- of a heartbeat in PostgreSQL.
create trigger activities_note_history_update
  before update of changed_by, title, summary, actor, agent, status, risk, branch, base_branch, areas, paths, issues, pr_url,
    draft_pr, blocking, archived_reason on activities
  for each row when (
    new.changed_by is not null or
    (old.title, old.summary, old.actor, old.agent, old.status, old.risk, old.branch, old.base_branch, old.areas, old.paths,
     old.issues, old.pr_url, old.draft_pr, old.blocking, old.archived_reason)
    is distinct from
    (new.title, new.summary, new.actor, new.agent, new.status, new.risk, new.branch, new.base_branch, new.areas, new.paths,
     new.issues, new.pr_url, new.draft_pr, new.blocking, new.archived_reason))
  execute function note_history('title', 'summary', 'actor', 'agent', 'status', 'risk', 'branch', 'base_branch', 'issues', 'pr_url',
    'draft_pr', 'blocking', 'archived_reason');
create trigger activities_delete_history after delete on activities
  for each row execute function delete_history();

create trigger notables_note_history_insert before insert on notables
  for each row execute function note_history();
create trigger notables_note_history_update before update on notables
  for each row when (
    new.changed_by is not null or
    (old.title, old.summary, old.category, old.importance, old.status, old.decision_url, old.applies_until, old.areas, old.paths, old.blocking)
    is distinct from
    (new.title, new.summary, new.category, new.importance, new.status, new.decision_url, new.applies_until, new.areas, new.paths, new.blocking))
  execute function note_history('title', 'summary', 'category', 'importance', 'status', 'decision_url', 'applies_until', 'blocking');
create trigger notables_delete_history after delete on notables
  for each row execute function delete_history();


-- Triggers that write the change log
--
-- All columns of a row are compared (*=), so that none can be forgotten, whatever its type. Columns whose changes are not shown
-- are made equal before.

create function log_row(of_repository bigint, of_kind text, id text) returns void language plpgsql as $$
begin
  insert into change_log (repository_id, kind, record_id) values (of_repository, of_kind, id);
end $$;

-- Recorded work covers the observed work on its branch or of its pull request, and so changes what is shown of both. This logs the
-- observed work, the newest recorded work, and the one before it. Where nothing is observed, nothing is covered.
--
-- A connection keeps the plans that it makes for the first rows, for which each index that begins with the repository looks as good.
-- So the conditions are such that one index alone serves them: the state of a pull request that is found by its number is none, and
-- a branch is a range by which the rows are sorted.
create function log_cover(of_repository bigint, of_branch text, of_number integer, is_observed boolean) returns void language plpgsql as $$
begin
  insert into change_log (repository_id, kind, record_id)
  select of_repository, 'activity', activity_id from (
    select case when state = 'open' then activity_id end as activity_id
      from pull_requests where repository_id = of_repository and number = of_number
    union
    (select activity_id from pull_requests
      where repository_id = of_repository and head_ref >= of_branch and head_ref <= of_branch
        and head_repository_id = of_repository and state = 'open'
      order by head_ref)
    union
    select activity_id from pushed_branches where repository_id = of_repository and branch = of_branch) as observed
   where activity_id is not null;
  if not (found or is_observed) then
    return;
  end if;
  insert into change_log (repository_id, kind, record_id)
  select of_repository, 'activity', id from (
    (select id from activities
      where repository_id = of_repository and branch >= of_branch and branch <= of_branch and source = 'recorded' and ended_at is null
      order by branch desc, id desc limit 2)
    union
    (select id from (
       select id, repository_id, source, ended_at from activities
        where pr_repository_id = of_repository and pr_number = of_number offset 0) as linked
      where repository_id = of_repository and source = 'recorded' and ended_at is null
      order by id desc limit 2)) as recorded;
end $$;

create function log_cover_of(activity activities) returns void language plpgsql as $$
begin
  perform log_cover(activity.repository_id, activity.branch,
    case when activity.pr_repository_id = activity.repository_id then activity.pr_number end, activity.source <> 'recorded');
end $$;

create function log_cover_of(pull pull_requests) returns void language plpgsql as $$
begin
  if pull.activity_id is not null then
    perform log_row(pull.repository_id, 'activity', pull.activity_id);
  end if;
  perform log_cover(pull.repository_id,
    case when pull.head_repository_id = pull.repository_id then pull.head_ref end, pull.number, true);
end $$;

create function log_cover_of(pushed pushed_branches) returns void language plpgsql as $$
begin
  if pushed.activity_id is not null then
    perform log_row(pushed.repository_id, 'activity', pushed.activity_id);
    perform log_cover(pushed.repository_id, pushed.branch, null, true);
  end if;
end $$;

-- A heartbeat moves two columns that are not shown as a change, and a third is generated from them; an earlier expiry counts.
-- The issues of an observed pull request are shown on the recorded work that covers it, too.
create function log_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform log_row(old.repository_id, 'activity', old.id);
    if old.ended_at is null then
      perform log_row(old.repository_id, 'repository', '');
    end if;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    old.heartbeat_at := new.heartbeat_at;
    old.expires_at := greatest(old.expires_at, new.expires_at);
    old.expires_hour := new.expires_hour;
    old.pr_event_at := new.pr_event_at;
    old.seen_branch := new.seen_branch;
    old.changed_by := new.changed_by;
    if old *= new then
      return null;
    end if;
  end if;
  perform log_row(new.repository_id, 'activity', new.id);
  if tg_op = 'INSERT' then
    perform log_cover_of(new);
  elsif (old.source, old.branch, old.pr_repository_id, old.pr_number, old.pr_url is null, old.ended_at is null)
    is distinct from (new.source, new.branch, new.pr_repository_id, new.pr_number, new.pr_url is null, new.ended_at is null)
  then
    perform log_cover_of(old);
    perform log_cover_of(new);
  elsif new.source <> 'recorded' and old.issues <> new.issues then
    perform log_cover_of(new);
  end if;
  return null;
end $$;

create trigger activities_log after insert or update or delete on activities
  for each row execute function log_activity();

create function log_changes() returns trigger language plpgsql as $$
begin
  perform log_row(coalesce(new.repository_id, old.repository_id), 'activity', coalesce(new.activity_id, old.activity_id));
  return null;
end $$;

create trigger activity_changes_log after insert or update or delete on activity_changes
  for each row execute function log_changes();

create function log_notable() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.changed_by := new.changed_by;
    if old *= new then
      return null;
    end if;
  end if;
  if tg_op = 'DELETE' then
    perform log_row(old.repository_id, 'notable', old.id);
    if old.ended_at is null then
      perform log_row(old.repository_id, 'repository', '');
    end if;
  else
    perform log_row(new.repository_id, 'notable', new.id);
  end if;
  return null;
end $$;

create trigger notables_log after insert or update or delete on notables
  for each row execute function log_notable();

-- What GitHub says of a pull request changes what is shown of its record, and which recorded work covers that. Some columns say
-- only how far it is read, or are in no answer.
create function log_pull_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.push_reported_sha := new.push_reported_sha;
    old.github_updated_at := new.github_updated_at;
    old.read_attempts := new.read_attempts;
    old.read_after := new.read_after;
    old.unread_since := new.unread_since;
    old.marked_by_webhook := new.marked_by_webhook;
    if old *= new then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    perform log_cover_of(old);
  end if;
  if tg_op <> 'DELETE' then
    perform log_cover_of(new);
  end if;
  return null;
end $$;

create trigger pull_requests_log after insert or update or delete on pull_requests
  for each row execute function log_pull_request();

create function log_pushed_branch() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.read_attempts := new.read_attempts;
    old.read_after := new.read_after;
    if old *= new then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    perform log_cover_of(old);
  end if;
  if tg_op <> 'DELETE' then
    perform log_cover_of(new);
  end if;
  return null;
end $$;

create trigger pushed_branches_log after insert or update or delete on pushed_branches
  for each row execute function log_pushed_branch();

-- Which files count changes all pairs of a repository.
create function log_attributes() returns trigger language plpgsql as $$
begin
  perform log_row(new.repository_id, 'repository', '');
  return null;
end $$;

create trigger observed_repositories_log after update of ignored_by_attributes on observed_repositories
  for each row when (old.ignored_by_attributes is distinct from new.ignored_by_attributes)
  execute function log_attributes();


-- Triggers that mark check runs to be computed again: only where the App reads the repository are there check runs. Another mark
-- takes the place of one by a notable, whose check runs are written after all others.

-- Files were saved, could not be read three times, or a pull request ended, or changed its base branch, draft state, issues or record.
create function mark_report_of_pull_request() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select new.repository_id, new.number, true
   where exists (select from observed_repositories where repository_id = new.repository_id and by_app)
  on conflict (repository_id, number) do update
    set spreads = true, by_notable = false, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

create trigger pull_requests_mark_report after update on pull_requests
  for each row when (
    (old.state, old.base_ref, old.draft, old.activity_id, old.files_head_sha, old.issues, old.read_attempts >= 3)
    is distinct from
    (new.state, new.base_ref, new.draft, new.activity_id, new.files_head_sha, new.issues, new.read_attempts >= 3)
    and (new.state <> 'open' or new.files_head_sha = new.head_sha or new.read_attempts >= 3))
  execute function mark_report_of_pull_request();

create function forget_report_of_pull_request() returns trigger language plpgsql as $$
begin
  delete from report_marks where repository_id = old.repository_id and number = old.number;
  delete from pull_request_reports where repository_id = old.repository_id and number = old.number;
  return null;
end $$;

create trigger pull_requests_forget_report after delete on pull_requests
  for each row execute function forget_report_of_pull_request();

-- Recorded work may cover a pull request, its risk counts, and it may name issues of its own.
create function mark_reports_of_work() returns trigger language plpgsql as $$
begin
  insert into report_marks (repository_id, number, spreads)
  select new.repository_id, number, true from (
    select linked.number from unnest(array[old.pr_number, new.pr_number]) as named cross join lateral (
      select case when state = 'open' then number end as number
        from pull_requests where repository_id = new.repository_id and number = named offset 0) as linked
    union
    select own.number from unnest(array[old.branch, new.branch]) as name cross join lateral (
      select number from pull_requests
       where repository_id = new.repository_id and head_ref >= name and head_ref <= name and state = 'open'
       order by head_ref offset 0) as own) as pull
   where number is not null and exists (select from observed_repositories where repository_id = new.repository_id and by_app)
   order by number
  on conflict (repository_id, number) do update
    set spreads = true, by_notable = false, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch';
  return null;
end $$;

create trigger activities_mark_reports_insert after insert on activities
  for each row when (new.source = 'recorded' and (new.branch is not null or new.pr_number is not null))
  execute function mark_reports_of_work();
create trigger activities_mark_reports_update after update on activities
  for each row when (
    (old.branch, old.pr_repository_id, old.pr_number, old.blocking, old.risk, old.issues, old.ended_at is null)
    is distinct from
    (new.branch, new.pr_repository_id, new.pr_number, new.blocking, new.risk, new.issues, new.ended_at is null))
  execute function mark_reports_of_work();

-- Blocking and critical notables are in the titles of check runs. An expiry changes no row in time, so the job looks for the end
-- of a notable itself.
create function mark_notable() returns trigger language plpgsql as $$
begin
  insert into notable_marks (repository_id, notable_id) values (new.repository_id, new.id)
  on conflict (repository_id, notable_id) do update set seq = nextval('notable_marks_seq'), due_at = 'epoch';
  return null;
end $$;

create trigger notables_mark_reports_insert after insert on notables
  for each row when (new.blocking or new.importance = 'critical')
  execute function mark_notable();
create trigger notables_mark_reports_update after update on notables
  for each row when (
    (old.blocking or old.importance = 'critical' or new.blocking or new.importance = 'critical')
    and new.status <> 'expired'
    and (old.blocking, old.importance, old.applies_until, old.expires_at, old.ended_at is null)
    is distinct from
    (new.blocking, new.importance, new.applies_until, new.expires_at, new.ended_at is null))
  execute function mark_notable();

-- Work that nobody recorded: open pull requests and pushed branches are activities too.
set local lock_timeout = '5s';

alter table activities
  add column source text not null default 'recorded' constraint activities_source_check check (source in ('recorded', 'pull_request', 'branch')),
  add column author_login text,
  add column author_id bigint,
  add column opened_at timestamptz(3),
  add column edited_fields text[] not null default '{}',
  add column has_changes boolean not null default false,
  drop constraint activities_archived_reason_check,
  add constraint activities_archived_reason_check check (archived_reason in ('merged', 'closed', 'branch_deleted', 'expired', 'caller')) not valid,
  drop constraint activities_branch_check,
  add constraint activities_branch_check check (char_length(branch) between 1 and 300) not valid;

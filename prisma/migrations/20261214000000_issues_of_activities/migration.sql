-- The issues that an activity means to close, and "branch" where they are known from the name of its branch alone.
set local lock_timeout = '5s';

alter table activities
  add column issues integer[] not null default '{}',
  add column issues_from text;

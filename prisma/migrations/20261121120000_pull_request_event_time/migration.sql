-- Events of a pull request may come late, and in another order: which one was followed last.
set local lock_timeout = '5s';

alter table activities add column pr_event_at timestamptz(3);

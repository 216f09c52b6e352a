-- Check runs that only a notable marked take at most half of the writes of an hour.
set local lock_timeout = '5s';

alter table report_paces add column notable_written_at timestamptz(3)[] not null default '{}';

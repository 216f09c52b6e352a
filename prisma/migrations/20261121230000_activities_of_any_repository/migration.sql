-- An activity is asked for by its primary key. While PostgreSQL knew how many a repository had, and one grew before it counted again,
-- any index that begins with the repository looked as good, and all of that was read for each of its activities. So it learns that
-- there are 200 repositories, and no more of them. The locks here hold up nobody who reads or writes.
set local lock_timeout = '5s';

alter table activities alter column repository_id set statistics 1;
alter table activities alter column repository_id set (n_distinct = 200);
analyze activities (repository_id);
alter table activities alter column repository_id set statistics 0;

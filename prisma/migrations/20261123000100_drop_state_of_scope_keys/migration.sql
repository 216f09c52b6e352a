-- Nothing reads or writes this column.
set local lock_timeout = '5s';

alter table scope_keys drop column state;

-- The account that raised a notable. The id is kept beside the login, since GitHub reassigns logins.
set local lock_timeout = '5s';

alter table notables
  add column author_login text,
  add column author_id bigint;

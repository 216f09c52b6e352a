-- A check counts the open pull requests that somebody put aside: few of many.
create index pull_requests_put_aside_idx on pull_requests (repository_id, number) where put_aside_by is not null;

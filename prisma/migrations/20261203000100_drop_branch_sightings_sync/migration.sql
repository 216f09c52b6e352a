set local lock_timeout = '5s';

-- `activities.seen_branch` replaces it. A delivery for which an older program still writes here fails, and GitHub sends it again.
drop table branch_sightings;

set local lock_timeout = '5s';

-- The branch of this activity that was seen at GitHub. A branch that was never seen is not a deleted one.
alter table activities add column seen_branch text;

update activities as activity set seen_branch = sighting.branch
  from branch_sightings as sighting
 where sighting.repository_id = activity.repository_id and sighting.activity_id = activity.id
   and sighting.seen and sighting.branch = activity.branch and activity.ended_at is null;

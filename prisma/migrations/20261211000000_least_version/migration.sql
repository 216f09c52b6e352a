-- The least version of Headsup that may run on this database (docs/upgrading.md). A migration that older programs can't run on raises it.
insert into service_facts (name, value, updated_at) values ('least_version', '"0.1.0"', now()) on conflict (name) do nothing;

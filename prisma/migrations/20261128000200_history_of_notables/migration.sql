set local lock_timeout = '5s';

alter table notables add column changed_by text;

create trigger notables_note_history_insert before insert on notables
  for each row execute function note_history();
create trigger notables_note_history_update before update on notables
  for each row when (
    new.changed_by is not null or
    (old.title, old.summary, old.category, old.importance, old.status, old.decision_url, old.applies_until, old.areas, old.paths, old.blocking)
    is distinct from
    (new.title, new.summary, new.category, new.importance, new.status, new.decision_url, new.applies_until, new.areas, new.paths, new.blocking))
  execute function note_history('title', 'summary', 'category', 'importance', 'status', 'decision_url', 'applies_until', 'blocking');
create trigger notables_delete_history after delete on notables
  for each row execute function delete_history();

-- Who changed what in a record. Triggers write it, so that no statement can forget it.
create table record_history (
    repository_id bigint not null,
    record_id text collate "C" not null,
    seq bigint generated always as identity,
    at timestamptz(3) not null,
    -- A login, 'app' for the service itself; null: a caller whose account is not known.
    by text,
    change text not null check (change in ('created', 'updated', 'archived')),
    fields jsonb not null,
    constraint record_history_pkey primary key (repository_id, record_id, seq)
);

-- The arguments are the columns whose changes are noted. A statement of a caller sets "changed_by" to the login, or to '' where
-- it is not known. It is never stored. Of observed work, "scope" and "summary" are noted only where a caller has set them.
create function note_history() returns trigger language plpgsql as $$
declare
  old_values jsonb;
  new_values jsonb;
  changed jsonb := '{}';
  author text := case when new.changed_by is null then 'app' else nullif(new.changed_by, '') end;
  entry bigint;
begin
  new.changed_by := null;
  if tg_op = 'INSERT' then
    insert into record_history (repository_id, record_id, at, by, change, fields)
    values (new.repository_id, new.id, new.created_at, author, 'created', '{}');
    return new;
  end if;
  old_values := to_jsonb(old);
  new_values := to_jsonb(new);
  if coalesce(new_values ->> 'source', 'recorded') <> 'recorded' then
    if not (new_values -> 'edited_fields') ? 'summary' then
      new_values := new_values || jsonb_build_object('summary', old_values -> 'summary');
    end if;
    if not (new_values -> 'edited_fields') ? 'scope' then
      new_values := new_values || jsonb_build_object('areas', old_values -> 'areas', 'paths', old_values -> 'paths');
    end if;
  end if;
  select coalesce(jsonb_object_agg(name, jsonb_build_array(old_values -> name, new_values -> name)), '{}') into changed
    from unnest(tg_argv) as name where old_values -> name is distinct from new_values -> name;
  if (old_values -> 'areas', old_values -> 'paths') is distinct from (new_values -> 'areas', new_values -> 'paths') then
    changed := changed || jsonb_build_object('scope', jsonb_build_array(
      jsonb_build_object('areas', old_values -> 'areas', 'paths', old_values -> 'paths'),
      jsonb_build_object('areas', new_values -> 'areas', 'paths', new_values -> 'paths')));
  end if;
  if changed = '{}' then
    return new;
  end if;
  insert into record_history (repository_id, record_id, at, by, change, fields)
  values (new.repository_id, new.id, new.updated_at, author,
    case when old.status <> 'archived' and new.status = 'archived' then 'archived' else 'updated' end, changed)
  returning seq into entry;
  -- Now and then all but the newest 1,000 of the record are deleted.
  if entry % 64 = 0 then
    delete from record_history as old_entry
     where old_entry.repository_id = new.repository_id and old_entry.record_id = new.id and old_entry.seq <= (
       select seq from record_history where repository_id = new.repository_id and record_id = new.id
        order by seq desc offset 1000 limit 1);
  end if;
  return new;
end $$;

create function delete_history() returns trigger language plpgsql as $$
begin
  delete from record_history where repository_id = old.repository_id and record_id = old.id;
  return null;
end $$;

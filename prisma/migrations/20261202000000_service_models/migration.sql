-- What had a prefix in service_facts gets tables of its own. Leases and the calls of the current hour are not moved: they end soon.
set local lock_timeout = '5s';

create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz(3) not null
);

create table call_budgets (
  account_id bigint primary key,
  calls integer not null,
  began_at timestamptz(3) not null
);

create table spent_seals (
  what text not null,
  hash text not null,
  spent_at timestamptz(3) not null,
  primary key (what, hash)
);

create table report_paces (
  owner text primary key,
  written_at timestamptz(3)[]
);

-- Instances of the former version save sign-outs and used codes in service_facts until they are stopped.
create function copy_spent_seal() returns trigger language plpgsql as $$
begin
  insert into spent_seals values (split_part(new.name, ':', 1), split_part(new.name, ':', 2), new.updated_at)
    on conflict do nothing;
  return null;
end
$$;
create trigger copy_spent_seal after insert on service_facts for each row
  when (new.name like 'used-code:%' or new.name like 'signed-out:%') execute function copy_spent_seal();

insert into spent_seals
select split_part(name, ':', 1), split_part(name, ':', 2), updated_at from service_facts
 where name like 'used-code:%' or name like 'signed-out:%'
on conflict do nothing;

insert into report_paces
select substr(name, 15), array(select to_timestamp(ms::float8 / 1000) from jsonb_array_elements_text(value) as ms)
  from service_facts where name like 'report-writes:%';

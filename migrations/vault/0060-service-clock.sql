-- Owner: src/clock. How far the service's time was moved ahead of the machine's; only development moves it, and only on.
create table service_clock (
  id       smallint primary key default 1 check (id = 1),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0)
);
insert into service_clock (id) values (1);

-- The processes that run in development, and the time each of them keeps. One that was not seen lately is gone.
create table service_clock_parts (
  name     text primary key,
  ahead_ms bigint not null,
  seen_at  timestamptz not null
);

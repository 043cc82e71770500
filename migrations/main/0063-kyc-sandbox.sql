-- Owner: src/providers/kyc. Inquiries of the sandbox, which stands for a company outside production. It keeps what a name
-- steered it to, never the name.
create table kyc_sandbox_inquiries (
  id                  text primary key,
  reference           text not null unique,
  outcome             text not null,
  -- A decision made by hand, on the page.
  decided             text,
  session_hash        bytea,
  session_expires_at  timestamptz,
  page_hash           bytea,
  created_at          timestamptz not null,
  submitted_at        timestamptz,
  redacted_at         timestamptz
);

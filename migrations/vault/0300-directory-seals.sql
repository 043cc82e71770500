-- The main side seals its keys and issuers; it sends none that does not fit, and the copy carries no seal.
alter table api_keys add column mac text;
alter table trusted_issuers add column mac text;

-- Owner: src/http. A bucket is of a project's server keys, of one end user, or of its client keys without a user; old ones are forgotten.
create index rate_limits_window on rate_limits (window_start);

-- Books are compared by when a payout was first sent.
create index payouts_sent on payouts (provider, first_sent_at) where first_sent_at is not null;

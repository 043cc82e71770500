-- Owner: src/areas/orders. What the API's role may do to an order: price it, prepare it and note what its payer said, until money is there.
-- Whatever follows (deposits, captures, payouts, deliveries, refunds) is the worker's. See docs/decisions/0035-database-roles.md.

create function orders_check_api() returns trigger language plpgsql as $$
declare
  -- As src/areas/orders/machine.ts has them before anything was paid.
  unpaid constant text[] := array['incomplete', 'quoted', 'email_needed', 'payer_needed', 'payer_short', 'payer_short_of_gas', 'kyc_needed',
    'kyc_review', 'kyc_manual', 'kyc_failed', 'proof_needed', 'quote_expired', 'awaiting_payment', 'awaiting_deposit'];
  workers constant text[] := array['payout', 'payoutRetried', 'conversion', 'totalPaid', 'received', 'refunded', 'refundGrants',
    'deliveryTransferId', 'deliveryRetried', 'deliveries', 'deliveredAt', 'deliveredMinor', 'shortTransferIds', 'dustMinor', 'captureKey',
    'screeningReleased'];
  fact text;
begin
  if tg_op = 'INSERT' then
    if new.state <> all (array['incomplete', 'quoted']) or new.payout_id is not null or new.facts ?| workers then
      raise exception 'The role of the API opens no order as %.', new.state using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if new.state <> old.state and not (old.state = any (unpaid) and new.state = any (unpaid))
     and not (old.state = 'quoted' and new.state = 'screened' and new.terms->'pay'->>'amountMinor' = '0') then
    raise exception 'The role of the API does not move an order from % to %.', old.state, new.state using errcode = 'insufficient_privilege';
  end if;
  foreach fact in array workers loop
    -- Of an order that is free.
    continue when fact = 'totalPaid' and new.terms->'pay'->>'amountMinor' = '0' and new.facts->'totalPaid'->>'amountMinor' = '0';
    if new.facts->fact is distinct from old.facts->fact then
      raise exception 'The role of the API does not write the fact % of an order.', fact using errcode = 'insufficient_privilege';
    end if;
  end loop;
  if (new.id, new.project_id, new.kind, new.payout_id, new.resume_state, new.created_at)
       is distinct from (old.id, old.project_id, old.kind, old.payout_id, old.resume_state, old.created_at)
     or (old.state <> all (unpaid) and
       (new.terms, new.payer_key, new.recipient_key, new.memo, new.card_reference, new.request->'lineItem', new.request->'moreLineItems',
         new.request->'recipient'->'paymentMethodId', new.request->'recipient'->'walletAddress')
       is distinct from (old.terms, old.payer_key, old.recipient_key, old.memo, old.card_reference, old.request->'lineItem',
         old.request->'moreLineItems', old.request->'recipient'->'paymentMethodId', old.request->'recipient'->'walletAddress')) then
    raise exception 'The role of the API does not change what order % is to pay, or to whom.', old.id using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create trigger orders_api before insert or update on orders for each row when (current_user = 'purser_api') execute function orders_check_api();

-- Owner: src/areas/orders. In which turn the volume of a user was looked at for an order, and for which of its quotes: of several orders at
-- once the later look counts the earlier one, whichever of them was priced or stored first.
create sequence order_volume_looks;
alter table orders
  add column looked_nr    bigint,
  add column looked_quote timestamptz;

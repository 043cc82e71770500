-- Owner: src/chains/solana/wallet.

-- Numbers of operations that P-256 keys approve (the wallet program takes each once): the next that nobody has.
create table solana_numbers (
  wallet text not null,
  signer text not null,          -- the admin, or a delegate's key
  next   numeric(20, 0) not null,
  primary key (wallet, signer)
);

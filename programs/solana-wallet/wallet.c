// SPDX-License-Identifier: Apache-2.0
//
// A smart wallet for Solana. NOT EXTERNALLY AUDITED.
//
// A wallet is a set-up: salt, groups of members, hashes of its first delegates. Its id is the SHA-256 of that, its address the
// vault at ["vault", id], known before anything exists; ["state", id] holds the rest. The first operation makes the state in the
// same transaction. Ed25519 keys sign the Solana transaction itself, so nothing here checks their signatures or counts their
// nonces: the runtime does the first, blockhash or durable nonce the second. P-256 keys: p256.h. The program answers to the top
// level of a transaction alone.
//
// Built with `clang-19 -target bpf -mcpu=v2` and link.ts to an SBPF v3 file. No global that can be written, at most five
// arguments, 4 KB of stack for each function.

#include "runtime.h"
#include "p256.h"

#define RENT_PER_BYTE 6960
#define RENT_OVERHEAD 128

#define STATE_TAG 0x53
#define STATE_HEAD 48
#define ED25519 0
#define MEMBER 34
#define MEMBERS_MAX 16
#define GROUPS_MAX 8
#define PLANNED_MAX 8
#define SETUP_HEAD 34

#define DELEGATE_TAG 0x44
#define DELEGATE_HEAD 96
#define SCOPE 200
#define SCOPES_MAX 4
#define RECIPIENTS_MAX 4
#define NO_LIMIT 0xffffffffffffffffull
#define INTERVAL_MAX (1ull << 40)

// What every authorised instruction begins with: epoch u32, deadline i64 (0: none), number u64 (0: no P-256 key approves).
#define HEAD 20
#define REGISTRATION_HEAD 43

// state: 0 tag, 1 group count, 2 planned delegate count, 3 bump of the vault, 4 epoch u32, 8 id, 40 where the window of numbers
//        is u32 (0: no member has a P-256 key), 48 groups and planned delegates as in the set-up
// group: threshold, member count, members (kind, 33 bytes of key: a 0 behind the 32 of ed25519)
// delegate: 0 tag, 1 kind, 2 scope count, 3 active, 4 generation u32, 8 epoch u32, 16 expiry i64 (0: none), 24 id, 56 key, 96 window
//        of numbers if it has a P-256 key, scopes
// scope: 0 mint (zeros: SOL), 32 limit, 40 interval in seconds (0: for ever), 48 spent, 56 start of the window, 64 recipient count,
//        72 recipients (none: anybody)

static const u8 SYSTEM[32] = {0};
static const u8 TOKEN[32] = {6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133, 237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169};
static const u8 TOKEN_2022[32] = {6, 221, 246, 225, 238, 117, 143, 222, 24, 66, 93, 188, 228, 108, 205, 218, 182, 26, 252, 77, 131, 185, 13, 39, 254, 189, 249, 40, 216, 161, 139, 252};
static const char STATE_SEED[] = "state", VAULT_SEED[] = "vault", DELEGATE_SEED[] = "delegate";

/// Makes an account of this program's at `seeds`, whatever lamports somebody has sent there before.
/// Accounts: `at[0]` the new one, `at[1]` who pays.
static __attribute__((noinline)) u64 make(const Call *call, Account *const *at, const Slice *seeds, u64 space) {
  Account *made = at[0], *payer = at[1];
  Seeds signer = {seeds, 5};
  u64 rent = (space + RENT_OVERHEAD) * RENT_PER_BYTE;
  u8 data[52];
  for (u64 i = 0; i < 52; i++) data[i] = 0;
  if (*made->lamports < rent) {
    Meta metas[2] = {{payer->key, 1, 1}, {made->key, 1, 0}};
    data[0] = 2;
    write64(data + 4, rent - *made->lamports);
    Instruction transfer = {SYSTEM, metas, 2, data, 12};
    u64 error = sol_invoke_signed_c(&transfer, call->accounts, call->count, &signer, 1);
    if (error) return error;
  }
  Meta meta = {made->key, 1, 1};
  data[0] = 8;
  write64(data + 4, space);
  Instruction allocate = {SYSTEM, &meta, 1, data, 12};
  u64 error = sol_invoke_signed_c(&allocate, call->accounts, call->count, &signer, 1);
  if (error) return error;
  data[0] = 1;
  copy(data + 4, call->program, 32);
  Instruction assign = {SYSTEM, &meta, 1, data, 36};
  return sol_invoke_signed_c(&assign, call->accounts, call->count, &signer, 1);
}


/// @returns bytes of the group; 0 when it cannot be one
static __attribute__((noinline)) u64 check_group(const u8 *group, u64 left) {
  if (left < 2) return 0;
  u8 threshold = group[0], count = group[1];
  if (threshold == 0 || threshold > count || left < 2 + (u64)count * MEMBER) return 0;
  for (u64 i = 0; i < count; i++) {
    const u8 *member = group + 2 + i * MEMBER;
    if (member[0] == ED25519 ? member[33] != 0 : member[0] != PASSKEY || (member[1] != 2 && member[1] != 3)) return 0;
    for (u64 j = 0; j < i; j++)
      if (same(member, group + 2 + j * MEMBER, MEMBER)) return 0;
  }
  return 2 + (u64)count * MEMBER;
}

/// @returns where the window of numbers is, 0 for none; 1 when it is no set-up
static __attribute__((noinline)) u64 check_setup(const u8 *setup, u64 len) {
  if (len < SETUP_HEAD || setup[32] == 0 || setup[32] > GROUPS_MAX || setup[33] > PLANNED_MAX) return 1;
  u64 at = SETUP_HEAD, members = 0;
  int window = 0;
  for (u64 i = 0; i < setup[32]; i++) {
    u64 bytes = check_group(setup + at, len - at);
    if (bytes == 0) return 1;
    members += setup[at + 1];
    for (u64 j = 0; j < setup[at + 1]; j++) window |= setup[at + 2 + j * MEMBER] != ED25519;
    at += bytes;
  }
  if (members > MEMBERS_MAX || len != at + 32 * (u64)setup[33]) return 1;
  return window ? (STATE_HEAD + len - SETUP_HEAD + 7) & ~7ull : 0;
}

/// Data: set-up (salt 32, group count, planned delegate count, groups, SHA-256 of each planned delegate's registration).
/// Accounts: payer, state, system. Anybody may do it: everything follows from the set-up, the bumps too.
static __attribute__((noinline)) u64 create(Call *call) {
  const u8 *setup = call->data;
  if (call->count < 3) return BAD_INSTRUCTION;
  u64 window = check_setup(setup, call->len);
  if (window == 1) return BAD_SETUP;
  u8 id[32], at[32], vault[32], bump, vault_bump;
  Slice whole = {setup, call->len};
  sol_sha256(&whole, 1, id);
  Slice seeds[5] = {{STATE_SEED, 5}, {id, 32}, {&bump, 1}, {id, 0}, {id, 0}};
  Slice vault_seeds[2] = {{VAULT_SEED, 5}, {id, 32}};
  if (sol_try_find_program_address(seeds, 2, call->program, at, &bump)) return BAD_ACCOUNTS;
  if (sol_try_find_program_address(vault_seeds, 2, call->program, vault, &vault_bump)) return BAD_ACCOUNTS;
  Account *state = &call->accounts[1];
  if (!same(at, state->key, 32)) return BAD_ACCOUNTS;
  // Two operations may have been the wallet's first: nothing is left to do for the second.
  if (same(state->owner, call->program, 32)) return 0;
  Account *made[2] = {state, &call->accounts[0]};
  u64 error = make(call, made, seeds, window ? window + WINDOW : STATE_HEAD + call->len - SETUP_HEAD);
  if (error) return error;
  u8 *data = state->data;
  data[0] = STATE_TAG;
  data[1] = setup[32];
  data[2] = setup[33];
  data[3] = vault_bump;
  copy(data + 8, id, 32);
  write32(data + 40, window);
  copy(data + STATE_HEAD, setup + SETUP_HEAD, call->len - SETUP_HEAD);
  return 0;
}

/// A state of this program's; nobody else can have written one.
static int is_state(const Call *call, const Account *account) {
  return same(account->owner, call->program, 32) && account->data_len >= STATE_HEAD && account->data[0] == STATE_TAG;
}

static __attribute__((noinline)) u64 require_time(const Call *call, const u8 *state) {
  if (read32(state + 4) != read32u(call->data)) return WRONG_EPOCH;
  u64 deadline = read64(call->data + 4);
  if (deadline == 0) return read64(call->data + 12) == 0 ? 0 : BAD_INSTRUCTION;
  return now() > (i64)deadline ? PAST_DEADLINE : 0;
}

static __attribute__((noinline)) int has_signed(const Call *call, const u8 *key) {
  for (u64 i = 0; i < call->count; i++)
    if (call->accounts[i].is_signer && same(call->accounts[i].key, key, 32)) return 1;
  return 0;
}

/// Whether as many members of one of the groups approve as it wants. `transaction`: 0 when no P-256 key does.
static __attribute__((noinline)) u64 require_group(const Call *call, const u8 *state, const Transaction *transaction) {
  const u8 *group = state + STATE_HEAD;
  for (u64 i = 0; i < state[1]; i++) {
    u64 approvals = 0;
    for (u64 j = 0; j < group[1]; j++) {
      const u8 *member = group + 2 + j * MEMBER;
      if (member[0] == ED25519) approvals += has_signed(call, member + 1);
      else if (transaction) approvals += is_approved(transaction, member);
    }
    if (approvals >= group[0]) return 0;
    group += 2 + (u64)group[1] * MEMBER;
  }
  return NOT_ENOUGH_SIGNERS;
}

/// The admin: accounts hold members that sign the transaction, and the sysvar of instructions where P-256 keys approve.
static __attribute__((noinline)) u64 require_admin(const Call *call, u8 *state) {
  u64 error = require_time(call, state);
  if (error) return error;
  u64 number = read64(call->data + 12);
  if (number == 0) return require_group(call, state, 0);
  u32 window = read32(state + 40);
  if (window == 0) return BAD_INSTRUCTION;
  Transaction transaction;
  error = read_transaction(call, &transaction);
  if (error) return error;
  error = require_group(call, state, &transaction);
  return error ? error : take_number(state + window, number);
}

/// Whether the account is the wallet's vault.
static __attribute__((noinline)) u64 require_vault(const Call *call, const u8 *state, const Account *vault) {
  u8 at[32];
  Slice seeds[3] = {{VAULT_SEED, 5}, {state + 8, 32}, {state + 3, 1}};
  if (sol_create_program_address(seeds, 3, call->program, at) || !same(at, vault->key, 32)) return BAD_ACCOUNTS;
  return 0;
}

static __attribute__((noinline)) u64 sign_by_vault(const Call *call, const u8 *state, const Instruction *instruction) {
  Slice seeds[3] = {{VAULT_SEED, 5}, {state + 8, 32}, {state + 3, 1}};
  Seeds signer = {seeds, 3};
  return sol_invoke_signed_c(instruction, call->accounts, call->count, &signer, 1);
}


/// What the wallet signs: how many accounts of the call go before, and where the count of inner accounts is in the data.
typedef struct {
  u64 vault, data;
} Inner;

/// Whether there is all that it needs, and the vault is its own. Accounts from the vault on: vault, inner program, inner accounts.
static __attribute__((noinline)) u64 require_inner(const Call *call, const u8 *state, const Inner *inner) {
  if (call->len <= inner->data || call->count < inner->vault + 2) return BAD_INSTRUCTION;
  u64 count = call->data[inner->data];
  if (call->len < inner->data + 1 + count) return BAD_INSTRUCTION;
  if (call->count < inner->vault + 2 + count) return BAD_ACCOUNTS;
  if (same(call->accounts[inner->vault + 1].key, call->program, 32)) return FORBIDDEN_CALL;
  return require_vault(call, state, &call->accounts[inner->vault]);
}

static __attribute__((noinline)) u64 run_inner(const Call *call, const u8 *state, const Inner *inner) {
  const Account *a = call->accounts + inner->vault;
  u64 count = call->data[inner->data];
  const u8 *flags = call->data + inner->data + 1;
  Meta *metas = (Meta *)METAS;
  for (u64 i = 0; i < count; i++) {
    metas[i].key = a[2 + i].key;
    metas[i].is_writable = flags[i] & 1;
    metas[i].is_signer = (flags[i] & 2) != 0;
  }
  Instruction instruction = {a[1].key, metas, count, flags + count, call->len - inner->data - 1 - count};
  u64 error = sign_by_vault(call, state, &instruction);
  if (error) return error;
  // Behind the lamports is the length of the data: a vault with data could not pay any more.
  return same(a[0].owner, SYSTEM, 32) && a[0].lamports[1] == 0 ? 0 : FORBIDDEN_CALL;
}

/// Data: head, number n of inner accounts, n flags (1 writable, 2 signer), inner data.
/// Accounts: state, vault, inner program, n inner accounts, then who approves.
static __attribute__((noinline)) u64 execute(Call *call) {
  if (call->count < 3) return BAD_INSTRUCTION;
  if (!is_state(call, &call->accounts[0])) return BAD_ACCOUNTS;
  u8 *state = call->accounts[0].data;
  u64 error = require_admin(call, state);
  if (error) return error;
  Inner inner = {1, HEAD};
  error = require_inner(call, state, &inner);
  return error ? error : run_inner(call, state, &inner);
}

static u64 window_bytes(u8 kind) { return kind == ED25519 ? 0 : WINDOW; }

static u8 *scopes_of(u8 *delegate) { return delegate + DELEGATE_HEAD + window_bytes(delegate[1]); }

/// Whether the account is that of the delegate named by `named` (kind, key), and where its bump is put.
static __attribute__((noinline)) u64 find_delegate(const Call *call, const u8 *id, const u8 *named, u8 *bump) {
  u8 at[32];
  Slice seeds[4] = {{DELEGATE_SEED, 8}, {id, 32}, {named, 32}, {named + 32, 2}};
  if (named[0] == ED25519 ? named[33] != 0 : named[0] > PASSKEY || (named[1] != 2 && named[1] != 3)) return BAD_INSTRUCTION;
  if (sol_try_find_program_address(seeds, 4, call->program, at, bump)) return BAD_ACCOUNTS;
  return same(at, call->accounts[1].key, 32) ? 0 : BAD_ACCOUNTS;
}

/// An account of this program's gets room, and the lamports that go with it. Never less than before.
static __attribute__((noinline)) u64 grow(const Call *call, Account *account, const Account *payer, u64 space) {
  if (account->data_len >= space) return 0;
  u64 rent = (space + RENT_OVERHEAD) * RENT_PER_BYTE;
  if (*account->lamports < rent) {
    Meta metas[2] = {{payer->key, 1, 1}, {account->key, 1, 0}};
    u8 data[12] = {2};
    write64(data + 4, rent - *account->lamports);
    Instruction transfer = {SYSTEM, metas, 2, data, 12};
    u64 error = sol_invoke_signed_c(&transfer, call->accounts, call->count, 0, 0);
    if (error) return error;
  }
  account->lamports[1] = space;
  account->data_len = space;
  return 0;
}

/// The delegate's account as one of a given generation, made when it is not there. Accounts: state, delegate, payer, system.
static __attribute__((noinline)) u64 open_delegate(Call *call, const u8 *named, u32 generation, u64 scopes) {
  const u8 *id = call->accounts[0].data + 8;
  u8 bump;
  u64 error = find_delegate(call, id, named, &bump), space = DELEGATE_HEAD + window_bytes(named[0]) + scopes * SCOPE;
  if (error) return error;
  Account *delegate = &call->accounts[1], *payer = &call->accounts[2];
  if (!same(delegate->owner, call->program, 32)) {
    if (generation != 0) return WRONG_GENERATION;
    Slice seeds[5] = {{DELEGATE_SEED, 8}, {id, 32}, {named, 32}, {named + 32, 2}, {&bump, 1}};
    Account *made[2] = {delegate, payer};
    error = make(call, made, seeds, space);
  } else error = read32(delegate->data + 4) == generation ? grow(call, delegate, payer, space) : WRONG_GENERATION;
  if (error) return error;
  u8 *data = delegate->data;
  data[0] = DELEGATE_TAG;
  data[1] = named[0];
  data[2] = 0;
  data[3] = 0;
  write32(data + 4, generation + 1);
  copy(data + 24, id, 32);
  copy(data + 56, named + 1, 33);
  return 0;
}

static __attribute__((noinline)) u64 write_scopes(u8 *delegate, const u8 *from, const u8 *end) {
  for (u64 i = 0; i < delegate[2]; i++) {
    u8 *scope = scopes_of(delegate) + i * SCOPE;
    if (end - from < 49) return BAD_INSTRUCTION;
    u64 recipients = from[48];
    if (recipients > RECIPIENTS_MAX || (u64)(end - from) < 49 + recipients * 32 || read64(from + 40) > INTERVAL_MAX) return BAD_INSTRUCTION;
    copy(scope, from, 48);
    write64(scope + 48, 0);
    write64(scope + 56, 0);
    scope[64] = recipients;
    copy(scope + 72, from + 49, recipients * 32);
    from += 49 + recipients * 32;
  }
  return from == end ? 0 : BAD_INSTRUCTION;
}

/// A registration: kind, key, expiry i64, scope count, scopes (mint, limit u64, interval u64, recipient count, recipients).
static __attribute__((noinline)) u64 write_delegate(Call *call, const Slice *registration, u32 generation) {
  const u8 *from = registration->at;
  if (registration->len < REGISTRATION_HEAD || from[42] > SCOPES_MAX) return BAD_INSTRUCTION;
  u64 error = open_delegate(call, from, generation, from[42]);
  if (error) return error;
  u8 *delegate = call->accounts[1].data;
  delegate[2] = from[42];
  delegate[3] = 1;
  write32(delegate + 8, read32(call->accounts[0].data + 4));
  copy(delegate + 16, from + 34, 8);
  return write_scopes(delegate, from + REGISTRATION_HEAD, from + registration->len);
}

/// Data: head, generation u32 (the present one, 0 for none), registration. Accounts: state, delegate, payer, system, then who
/// approves. A registration replaces the one before; its limits begin anew.
static __attribute__((noinline)) u64 set_delegate(Call *call) {
  if (call->len < HEAD + 4 || call->count < 4 || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  u64 error = require_admin(call, call->accounts[0].data);
  if (error) return error;
  Slice registration = {call->data + HEAD + 4, call->len - HEAD - 4};
  return write_delegate(call, &registration, read32u(call->data + HEAD));
}

/// Data: a registration that the set-up has the hash of. Accounts as for set_delegate. Anybody may do it, as long as the admin has
/// neither registered nor removed that delegate nor raised the epoch.
static __attribute__((noinline)) u64 write_planned(Call *call) {
  if (call->count < 4 || call->len < MEMBER || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  const u8 *state = call->accounts[0].data;
  u8 bump;
  u64 error = find_delegate(call, state + 8, call->data, &bump);
  // Nor is there anything left to do once it was written, whatever the admin did with it since.
  if (error || same(call->accounts[1].owner, call->program, 32)) return error;
  if (read32(state + 4) != 0) return WRONG_EPOCH;
  u8 hash[32];
  Slice registration = {call->data, call->len};
  sol_sha256(&registration, 1, hash);
  const u8 *planned = state + STATE_HEAD;
  for (u64 i = 0; i < state[1]; i++) planned += 2 + (u64)planned[1] * MEMBER;
  for (u64 i = 0; i < state[2]; i++)
    if (same(planned + 32 * i, hash, 32)) return write_delegate(call, &registration, 0);
  return UNKNOWN_DELEGATE;
}

/// Data: head, generation u32, kind, key. Accounts as for set_delegate. One that was never there is ended as well: what was signed
/// to register it, and the set-up, do not work any more.
static __attribute__((noinline)) u64 remove_delegate(Call *call) {
  if (call->len != HEAD + 4 + MEMBER || call->count < 4 || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  u64 error = require_admin(call, call->accounts[0].data);
  return error ? error : open_delegate(call, call->data + HEAD + 4, read32u(call->data + HEAD), 0);
}

/// Data: head. Accounts: state, then who approves. Ends every delegate, and whatever was signed and did not land.
static __attribute__((noinline)) u64 raise_epoch(Call *call) {
  if (call->len != HEAD || call->count < 1 || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  u8 *state = call->accounts[0].data;
  u64 error = require_admin(call, state);
  if (error) return error;
  u32 epoch = read32(state + 4);
  if (epoch == 0xffffffff) return BAD_INSTRUCTION;
  write32(state + 4, epoch + 1);
  return 0;
}

/// Data: head, generation u32, … Accounts: state, delegate, its key or the sysvar of instructions.
static __attribute__((noinline)) u64 require_delegate(const Call *call, const u8 *state) {
  const Account *a = call->accounts;
  if (!same(a[1].owner, call->program, 32) || a[1].data_len < DELEGATE_HEAD || a[1].data[0] != DELEGATE_TAG) return UNKNOWN_DELEGATE;
  u8 *delegate = a[1].data;
  if (!same(delegate + 24, state + 8, 32)) return UNKNOWN_DELEGATE;
  if (!delegate[3] || read32(delegate + 8) != read32(state + 4)) return UNKNOWN_DELEGATE;
  u64 error = require_time(call, state);
  if (error) return error;
  if (read32(delegate + 4) != read32u(call->data + HEAD)) return WRONG_GENERATION;
  i64 expiry = (i64)read64(delegate + 16);
  if (delegate[1] == ED25519) {
    if (!a[2].is_signer || !same(a[2].key, delegate + 56, 32)) return NOT_ENOUGH_SIGNERS;
    return expiry != 0 && now() >= expiry ? EXPIRED : 0;
  }
  u64 number = read64(call->data + 12);
  if (number == 0) return NOT_ENOUGH_SIGNERS;
  Transaction transaction;
  error = read_transaction(call, &transaction);
  if (error) return error;
  u8 member[MEMBER];
  member[0] = delegate[1];
  copy(member + 1, delegate + 56, P256_KEY);
  if (!is_approved(&transaction, member)) return NOT_ENOUGH_SIGNERS;
  if (expiry != 0 && now() >= expiry) return EXPIRED;
  return take_number(delegate + DELEGATE_HEAD, number);
}

/// Data: head, generation u32, number n of inner accounts, n flags, inner data. Accounts: state, delegate, its key or the sysvar of
/// instructions, vault, inner program, n inner accounts. Of a delegate without scopes: anything but this program.
static __attribute__((noinline)) u64 execute_by_delegate(Call *call) {
  if (call->len < HEAD + 5 || call->count < 5) return BAD_INSTRUCTION;
  if (!is_state(call, &call->accounts[0])) return BAD_ACCOUNTS;
  const u8 *state = call->accounts[0].data;
  u64 error = require_delegate(call, state);
  if (error) return error;
  if (call->accounts[1].data[2] != 0) return OUT_OF_SCOPE;
  Inner inner = {3, HEAD + 4};
  error = require_inner(call, state, &inner);
  return error ? error : run_inner(call, state, &inner);
}

/// A window begins with the first amount that is spent in it, and lasts for the interval.
static __attribute__((noinline)) u64 spend(u8 *scope, u64 amount, i64 time) {
  u64 limit = read64(scope + 32), interval = read64(scope + 40), spent = read64(scope + 48);
  if (limit == NO_LIMIT) return 0;
  if (interval != 0 && time >= (i64)read64(scope + 56) + (i64)interval) spent = 0;
  if (amount > limit - spent) return LIMIT_EXCEEDED;
  if (spent == 0) write64(scope + 56, (u64)time);
  write64(scope + 48, spent + amount);
  return 0;
}

static __attribute__((noinline)) u64 require_scope(const u8 *scope, const u8 *mint, const u8 *recipient) {
  if (!same(scope, mint, 32)) return OUT_OF_SCOPE;
  int listed = scope[64] == 0;
  for (u64 i = 0; i < scope[64] && !listed; i++) listed = same(scope + 72 + i * 32, recipient, 32);
  return listed ? 0 : WRONG_RECIPIENT;
}

/// What a token account has to be before its bytes mean anything.
static int is_token(const Account *account, const u8 *program, u64 bytes) {
  return same(account->owner, program, 32) && account->data_len >= bytes;
}

/// Whose money the transfer is to be: the owner of the token account, or the account itself.
static __attribute__((noinline)) u64 read_transfer(const Call *call, const u8 **mint, const u8 **recipient) {
  const Account *a = call->accounts;
  *mint = SYSTEM;
  *recipient = a[4].key;
  if (call->count == 6) return same(a[5].key, SYSTEM, 32) ? 0 : BAD_ACCOUNTS;
  const u8 *program = a[7].key;
  if (!same(program, TOKEN, 32) && !same(program, TOKEN_2022, 32)) return BAD_TOKEN_ACCOUNT;
  if (!is_token(&a[4], program, 165) || !is_token(&a[5], program, 82) || !is_token(&a[6], program, 165)) return BAD_TOKEN_ACCOUNT;
  if (!same(a[4].data, a[5].key, 32) || !same(a[4].data + 32, a[3].key, 32)) return BAD_TOKEN_ACCOUNT;
  *mint = a[5].key;
  *recipient = a[6].data + 32;
  return 0;
}

static __attribute__((noinline)) u64 send(const Call *call, const u8 *state, u64 amount) {
  const Account *a = call->accounts;
  u8 data[16];
  if (call->count == 6) {
    data[0] = 2, data[1] = 0, data[2] = 0, data[3] = 0;
    write64(data + 4, amount);
    Meta metas[2] = {{a[3].key, 1, 1}, {a[4].key, 1, 0}};
    Instruction instruction = {SYSTEM, metas, 2, data, 12};
    return sign_by_vault(call, state, &instruction);
  }
  data[0] = 12;
  write64(data + 1, amount);
  data[9] = a[5].data[44];
  Meta metas[4] = {{a[4].key, 1, 0}, {a[5].key, 0, 0}, {a[6].key, 1, 0}, {a[3].key, 0, 1}};
  Instruction instruction = {a[7].key, metas, 4, data, 10};
  return sign_by_vault(call, state, &instruction);
}

/// Data: head, generation u32, scope, amount u64. Accounts: state, delegate, its key or the sysvar of instructions, vault,
/// recipient, system; of tokens: state, delegate, key or sysvar, vault, source, mint, destination, token program. The one thing that
/// a delegate with scopes can do: the inner instruction is made here.
static __attribute__((noinline)) u64 transfer(Call *call) {
  if (call->len != HEAD + 13 || (call->count != 6 && call->count != 8)) return BAD_INSTRUCTION;
  const Account *a = call->accounts;
  if (!is_state(call, &a[0])) return BAD_ACCOUNTS;
  const u8 *state = a[0].data, *mint, *recipient;
  u64 error = require_delegate(call, state);
  if (error) return error;
  error = require_vault(call, state, &a[3]);
  if (error) return error;
  u64 amount = read64(call->data + HEAD + 5);
  if (amount == 0) return BAD_INSTRUCTION;
  error = read_transfer(call, &mint, &recipient);
  if (error) return error;
  u8 *delegate = a[1].data;
  if (delegate[2] != 0) {
    u8 index = call->data[HEAD + 4];
    if (index >= delegate[2]) return OUT_OF_SCOPE;
    u8 *scope = scopes_of(delegate) + (u64)index * SCOPE;
    error = require_scope(scope, mint, recipient);
    if (error) return error;
    error = spend(scope, amount, now());
    if (error) return error;
  }
  return send(call, state, amount);
}

u64 entrypoint(u8 *input) {
  Call call;
  u64 error = read_call(input, &call);
  if (error) return error;
  if (sol_get_stack_height() != 1) return NOT_TOP_LEVEL;
  if (call.len == 0) return BAD_INSTRUCTION;
  u8 kind = call.data[0];
  call.data += 1;
  call.len -= 1;
  if (kind == 0) return create(&call);
  if (kind == 6) return write_planned(&call);
  if (call.len < HEAD) return BAD_INSTRUCTION;
  if (kind == 1) return execute(&call);
  if (kind == 2) return set_delegate(&call);
  if (kind == 3) return remove_delegate(&call);
  if (kind == 4) return transfer(&call);
  if (kind == 5) return raise_epoch(&call);
  if (kind == 7) return execute_by_delegate(&call);
  return BAD_INSTRUCTION;
}

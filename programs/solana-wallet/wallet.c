// SPDX-License-Identifier: Apache-2.0
//
// A smart wallet for Solana. NOT EXTERNALLY AUDITED.
//
// A wallet is a set-up: salt, threshold, members. Its id is the SHA-256 of that, its address the vault at ["vault", id], known
// before anything exists; ["state", id] holds the members. The first operation makes the state in the same transaction.
// Members sign the Solana transaction itself, so nothing here checks signatures or counts nonces: the runtime does the first,
// blockhash or durable nonce the second. The program answers to the top level of a transaction alone.
//
// Built with `clang-19 -target bpf -mcpu=v2` and link.ts to an SBPF v3 file. No global that can be written, at most five
// arguments, 4 KB of stack for each function.

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned char u8;
typedef long long i64;

typedef struct {
  const u8 *key;
  u64 *lamports;
  u64 data_len;
  u8 *data;
  const u8 *owner;
  u64 rent_epoch;
  u8 is_signer, is_writable, executable;
} Account;

typedef struct {
  const u8 *key;
  u8 is_writable, is_signer;
} Meta;

typedef struct {
  const u8 *program;
  const Meta *metas;
  u64 metas_len;
  const u8 *data;
  u64 data_len;
} Instruction;

typedef struct {
  const void *at;
  u64 len;
} Slice;

typedef struct {
  const Slice *seeds;
  u64 len;
} Seeds;

/// What an instruction was called with.
typedef struct {
  Account *accounts;
  u64 count;
  const u8 *data;
  u64 len;
  const u8 *program;
} Call;

extern u64 sol_sha256(const Slice *, u64, u8 *);
extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64, const Seeds *, u64);
extern u64 sol_create_program_address(const Slice *, u64, const u8 *, u8 *);
extern u64 sol_try_find_program_address(const Slice *, u64, const u8 *, u8 *, u8 *);
extern u64 sol_memcmp_(const void *, const void *, u64, int *);
extern u64 sol_get_clock_sysvar(void *);
extern u64 sol_get_stack_height(void);

enum {
  BAD_INSTRUCTION = 1,  // too short, too long, or none that there is
  BAD_ACCOUNTS = 2,     // too few, or not those that the instruction is about
  NOT_TOP_LEVEL = 3,    // called by another program
  BAD_SETUP = 4,        // threshold, members
  ALREADY_THERE = 5,    // the state exists
  WRONG_EPOCH = 6,      // signed before the wallet ended what was signed
  NOT_ENOUGH_SIGNERS = 7,
  WRONG_GENERATION = 8, // signed for another registration of the delegate
  UNKNOWN_DELEGATE = 9, // removed, of an earlier epoch, or never registered
  EXPIRED = 10,
  OUT_OF_SCOPE = 11,    // another token
  WRONG_RECIPIENT = 12,
  LIMIT_EXCEEDED = 13,
  BAD_TOKEN_ACCOUNT = 14,
  FORBIDDEN_CALL = 15,  // this program, or one that took the vault
};

#define HEAP ((u8 *)0x300000000ull)
#define ACCOUNTS_MAX 64
#define RENT_PER_BYTE 6960
#define RENT_OVERHEAD 128

#define STATE_TAG 0x53
#define STATE_HEAD 40
#define MEMBER 34
#define MEMBERS_MAX 10
#define SETUP_HEAD 34

#define DELEGATE_TAG 0x44
#define DELEGATE_HEAD 88
#define SCOPE 200
#define SCOPES_MAX 4
#define RECIPIENTS_MAX 4
#define DELEGATE_BYTES (DELEGATE_HEAD + SCOPES_MAX * SCOPE)
#define NO_LIMIT 0xffffffffffffffffull
#define INTERVAL_MAX (1ull << 40)
#define ED25519 0

// state: 0 tag, 1 threshold, 2 member count, 3 bump of the vault, 4 epoch u32, 8 id, 40 members (kind, 33 bytes of key)
// delegate: 0 tag, 1 kind, 2 scope count, 3 active, 4 generation u32, 8 epoch u32, 16 expiry i64 (0: none), 24 id, 56 key, 88 scopes
// scope: 0 mint (zeros: SOL), 32 limit, 40 interval in seconds (0: for ever), 48 spent, 56 start of the window, 64 recipient count,
//        72 recipients (none: anybody)

static const u8 SYSTEM[32] = {0};
static const u8 TOKEN[32] = {6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133, 237, 95, 91, 55, 145, 58, 140, 245, 133, 126, 255, 0, 169};
static const u8 TOKEN_2022[32] = {6, 221, 246, 225, 238, 117, 143, 222, 24, 66, 93, 188, 228, 108, 205, 218, 182, 26, 252, 77, 131, 185, 13, 39, 254, 189, 249, 40, 216, 161, 139, 252};
static const char STATE_SEED[] = "state", VAULT_SEED[] = "vault", DELEGATE_SEED[] = "delegate";

static int same(const void *one, const void *other, u64 len) {
  int difference = 1;
  sol_memcmp_(one, other, len, &difference);
  return difference == 0;
}

static void copy(u8 *to, const u8 *from, u64 len) {
  for (u64 i = 0; i < len; i++) to[i] = from[i];
}

static u32 read32(const u8 *at) { return *(const u32 *)at; }

static u64 read64(const u8 *at) {
  u64 value = 0;
  for (u64 i = 0; i < 8; i++) value |= (u64)at[i] << (8 * i);
  return value;
}

static u32 read32u(const u8 *at) { return at[0] | (u32)at[1] << 8 | (u32)at[2] << 16 | (u32)at[3] << 24; }

static void write64(u8 *to, u64 value) {
  for (u64 i = 0; i < 8; i++) to[i] = value >> (8 * i);
}

static void write32(u8 *to, u32 value) { *(u32 *)to = value; }

/// Makes an account of this program's at `seeds`, whatever lamports somebody has sent there before.
/// Accounts: `at[0]` the new one, `at[1]` who pays.
static __attribute__((noinline)) u64 make(const Call *call, Account *const *at, const Slice *seeds, u64 space) {
  Account *made = at[0], *payer = at[1];
  Seeds signer = {seeds, 4};
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

/// Data: set-up (salt 32, threshold, count, members). Accounts: payer, state, system. Anybody may do it: everything follows
/// from the set-up, the bumps too.
static __attribute__((noinline)) u64 create(Call *call) {
  const u8 *setup = call->data;
  if (call->len < SETUP_HEAD + MEMBER || call->count < 3) return BAD_INSTRUCTION;
  u8 threshold = setup[32], count = setup[33];
  if (count > MEMBERS_MAX || call->len != SETUP_HEAD + (u64)count * MEMBER || threshold == 0 || threshold > count) return BAD_SETUP;
  const u8 *members = setup + SETUP_HEAD;
  for (u64 i = 0; i < count; i++) {
    const u8 *member = members + i * MEMBER;
    if (member[0] != ED25519 || member[33] != 0) return BAD_SETUP;
    for (u64 j = 0; j < i; j++)
      if (same(member, members + j * MEMBER, MEMBER)) return BAD_SETUP;
  }
  u8 id[32], at[32], vault[32], bump, vault_bump;
  Slice whole = {setup, call->len};
  sol_sha256(&whole, 1, id);
  Slice seeds[4] = {{STATE_SEED, 5}, {id, 32}, {&bump, 1}, {id, 0}};
  Slice vault_seeds[2] = {{VAULT_SEED, 5}, {id, 32}};
  if (sol_try_find_program_address(seeds, 2, call->program, at, &bump)) return BAD_ACCOUNTS;
  if (sol_try_find_program_address(vault_seeds, 2, call->program, vault, &vault_bump)) return BAD_ACCOUNTS;
  Account *state = &call->accounts[1];
  if (!same(at, state->key, 32)) return BAD_ACCOUNTS;
  if (!same(state->owner, SYSTEM, 32)) return ALREADY_THERE;
  Account *made[2] = {state, &call->accounts[0]};
  u64 error = make(call, made, seeds, STATE_HEAD + (u64)count * MEMBER);
  if (error) return error;
  u8 *data = state->data;
  data[0] = STATE_TAG;
  data[1] = threshold;
  data[2] = count;
  data[3] = vault_bump;
  copy(data + 8, id, 32);
  copy(data + STATE_HEAD, members, (u64)count * MEMBER);
  return 0;
}

/// A state of this program's; nobody else can have written one.
static int is_state(const Call *call, const Account *account) {
  return same(account->owner, call->program, 32) && account->data_len >= STATE_HEAD && account->data[0] == STATE_TAG;
}

/// Whether as many members as the wallet wants have signed the transaction.
static __attribute__((noinline)) u64 require_admin(const Call *call, const u8 *state, u32 epoch) {
  if (read32(state + 4) != epoch) return WRONG_EPOCH;
  u64 signed_by = 0;
  for (u64 i = 0; i < state[2]; i++) {
    const u8 *key = state + STATE_HEAD + i * MEMBER + 1;
    for (u64 j = 0; j < call->count; j++) {
      if (!call->accounts[j].is_signer || !same(call->accounts[j].key, key, 32)) continue;
      signed_by++;
      break;
    }
  }
  return signed_by >= state[1] ? 0 : NOT_ENOUGH_SIGNERS;
}

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

/// Data: epoch u32, number n of inner accounts, n flags (1 writable, 2 signer), inner data.
/// Accounts: state, vault, inner program, n inner accounts, then members.
static __attribute__((noinline)) u64 execute(Call *call) {
  if (call->len < 5 || call->count < 3) return BAD_INSTRUCTION;
  const Account *a = call->accounts;
  u64 inner = call->data[4];
  if (call->len < 5 + inner) return BAD_INSTRUCTION;
  if (call->count < 3 + inner || !is_state(call, &a[0])) return BAD_ACCOUNTS;
  const u8 *state = a[0].data;
  u64 error = require_admin(call, state, read32u(call->data));
  if (error) return error;
  error = require_vault(call, state, &a[1]);
  if (error) return error;
  if (same(a[2].key, call->program, 32)) return FORBIDDEN_CALL;
  const u8 *flags = call->data + 5;
  Meta *metas = (Meta *)HEAP;
  for (u64 i = 0; i < inner; i++) {
    metas[i].key = a[3 + i].key;
    metas[i].is_writable = flags[i] & 1;
    metas[i].is_signer = (flags[i] & 2) != 0;
  }
  Instruction instruction = {a[2].key, metas, inner, flags + inner, call->len - 5 - inner};
  error = sign_by_vault(call, state, &instruction);
  if (error) return error;
  // Behind the lamports is the length of the data: a vault with data could not pay any more.
  return same(a[1].owner, SYSTEM, 32) && a[1].lamports[1] == 0 ? 0 : FORBIDDEN_CALL;
}

/// Whether the account is that of the delegate named by `named` (kind, key), and where its bump is put.
static __attribute__((noinline)) u64 find_delegate(const Call *call, const u8 *id, const u8 *named, u8 *bump) {
  u8 at[32];
  Slice seeds[3] = {{DELEGATE_SEED, 8}, {id, 32}, {named + 1, 32}};
  if (named[0] != ED25519) return BAD_INSTRUCTION;
  if (sol_try_find_program_address(seeds, 3, call->program, at, bump)) return BAD_ACCOUNTS;
  return same(at, call->accounts[1].key, 32) ? 0 : BAD_ACCOUNTS;
}

/// The delegate's account as one of a given generation, made when it is not there.
static __attribute__((noinline)) u64 open_delegate(Call *call, const u8 *state, const u8 *named, u32 generation) {
  u8 bump;
  u64 error = find_delegate(call, state + 8, named, &bump);
  if (error) return error;
  Account *delegate = &call->accounts[1];
  if (same(delegate->owner, call->program, 32)) return read32(delegate->data + 4) == generation ? 0 : WRONG_GENERATION;
  if (generation != 0) return WRONG_GENERATION;
  Slice seeds[4] = {{DELEGATE_SEED, 8}, {state + 8, 32}, {named + 1, 32}, {&bump, 1}};
  Account *made[2] = {delegate, &call->accounts[2]};
  return make(call, made, seeds, DELEGATE_BYTES);
}

static __attribute__((noinline)) u64 write_scopes(u8 *delegate, const u8 *from, const u8 *end) {
  for (u64 i = 0; i < delegate[2]; i++) {
    u8 *scope = delegate + DELEGATE_HEAD + i * SCOPE;
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

/// Data: epoch u32, generation u32 (the present one, 0 for none), kind, key, expiry i64, scope count, scopes (mint, limit u64,
/// interval u64, recipient count, recipients). Accounts: state, delegate, payer, system, then members. A registration replaces
/// the one before; its limits begin anew.
static __attribute__((noinline)) u64 set_delegate(Call *call) {
  if (call->len < 50 || call->count < 4 || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  const u8 *state = call->accounts[0].data, *data = call->data;
  u64 error = require_admin(call, state, read32u(data));
  if (error) return error;
  u32 generation = read32u(data + 4);
  u8 scopes = data[49];
  if (scopes > SCOPES_MAX) return BAD_INSTRUCTION;
  error = open_delegate(call, state, data + 8, generation);
  if (error) return error;
  u8 *delegate = call->accounts[1].data;
  delegate[0] = DELEGATE_TAG;
  delegate[1] = data[8];
  delegate[2] = scopes;
  delegate[3] = 1;
  write32(delegate + 4, generation + 1);
  write32(delegate + 8, read32(state + 4));
  copy(delegate + 16, data + 41, 8);
  copy(delegate + 24, state + 8, 32);
  copy(delegate + 56, data + 9, 32);
  return write_scopes(delegate, data + 50, data + call->len);
}

/// Data: epoch u32, generation u32, kind, key. Accounts as for set_delegate. One that was never there is ended as well: what
/// was signed to register it does not work any more.
static __attribute__((noinline)) u64 remove_delegate(Call *call) {
  if (call->len != 41 || call->count < 4 || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  const u8 *state = call->accounts[0].data, *data = call->data;
  u64 error = require_admin(call, state, read32u(data));
  if (error) return error;
  u32 generation = read32u(data + 4);
  error = open_delegate(call, state, data + 8, generation);
  if (error) return error;
  u8 *delegate = call->accounts[1].data;
  delegate[0] = DELEGATE_TAG;
  delegate[3] = 0;
  write32(delegate + 4, generation + 1);
  copy(delegate + 24, state + 8, 32);
  copy(delegate + 56, data + 9, 32);
  return 0;
}

/// Data: epoch u32. Accounts: state, then members. Ends every delegate, and whatever was signed and did not land.
static __attribute__((noinline)) u64 raise_epoch(Call *call) {
  if (call->len != 4 || call->count < 1 || !is_state(call, &call->accounts[0])) return BAD_INSTRUCTION;
  u8 *state = call->accounts[0].data;
  u32 epoch = read32u(call->data);
  u64 error = require_admin(call, state, epoch);
  if (error) return error;
  if (epoch == 0xffffffff) return BAD_INSTRUCTION;
  write32(state + 4, epoch + 1);
  return 0;
}

static i64 now(void) {
  i64 clock[5];
  return sol_get_clock_sysvar(clock) ? -1 : clock[4];
}

static __attribute__((noinline)) u64 require_delegate(const Call *call, const u8 *state, i64 time) {
  const Account *a = call->accounts;
  if (!same(a[1].owner, call->program, 32) || a[1].data_len < DELEGATE_BYTES || a[1].data[0] != DELEGATE_TAG) return UNKNOWN_DELEGATE;
  const u8 *delegate = a[1].data;
  if (!same(delegate + 24, state + 8, 32)) return UNKNOWN_DELEGATE;
  if (!delegate[3] || read32(delegate + 8) != read32(state + 4)) return UNKNOWN_DELEGATE;
  if (read32(state + 4) != read32u(call->data)) return WRONG_EPOCH;
  if (read32(delegate + 4) != read32u(call->data + 4)) return WRONG_GENERATION;
  if (!a[2].is_signer || !same(a[2].key, delegate + 56, 32)) return NOT_ENOUGH_SIGNERS;
  i64 expiry = (i64)read64(delegate + 16);
  return expiry != 0 && time >= expiry ? EXPIRED : 0;
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

static __attribute__((noinline)) u64 require_scope(u8 *delegate, const u8 *mint, const u8 *recipient, const u8 *data) {
  if (delegate[2] == 0) return 0;
  if (data[8] >= delegate[2]) return OUT_OF_SCOPE;
  u8 *scope = delegate + DELEGATE_HEAD + (u64)data[8] * SCOPE;
  if (!same(scope, mint, 32)) return OUT_OF_SCOPE;
  int listed = scope[64] == 0;
  for (u64 i = 0; i < scope[64] && !listed; i++) listed = same(scope + 72 + i * 32, recipient, 32);
  return listed ? 0 : WRONG_RECIPIENT;
}

/// What a token account has to be before its bytes mean anything.
static int is_token(const Account *account, const u8 *program, u64 bytes) {
  return same(account->owner, program, 32) && account->data_len >= bytes;
}

/// Data: epoch u32, generation u32, scope, amount u64. Accounts: state, delegate, its signer, vault, recipient, system; of tokens:
/// state, delegate, its signer, vault, source, mint, destination, token program. The one thing that a delegate can do: the
/// inner instruction is made here.
static __attribute__((noinline)) u64 transfer(Call *call) {
  if (call->len != 17 || (call->count != 6 && call->count != 8)) return BAD_INSTRUCTION;
  const Account *a = call->accounts;
  if (!is_state(call, &a[0])) return BAD_ACCOUNTS;
  const u8 *state = a[0].data;
  i64 time = now();
  u64 error = require_delegate(call, state, time);
  if (error) return error;
  error = require_vault(call, state, &a[3]);
  if (error) return error;
  u64 amount = read64(call->data + 9);
  if (amount == 0) return BAD_INSTRUCTION;
  u8 *delegate = a[1].data;
  int is_sol = call->count == 6;
  const u8 *recipient = a[4].key;
  if (!is_sol) {
    const u8 *program = a[7].key;
    if (!same(program, TOKEN, 32) && !same(program, TOKEN_2022, 32)) return BAD_TOKEN_ACCOUNT;
    if (!is_token(&a[4], program, 165) || !is_token(&a[5], program, 82) || !is_token(&a[6], program, 165)) return BAD_TOKEN_ACCOUNT;
    if (!same(a[4].data, a[5].key, 32) || !same(a[4].data + 32, a[3].key, 32)) return BAD_TOKEN_ACCOUNT;
    recipient = a[6].data + 32;
  } else if (!same(a[5].key, SYSTEM, 32)) return BAD_ACCOUNTS;
  error = require_scope(delegate, is_sol ? SYSTEM : a[5].key, recipient, call->data);
  if (error) return error;
  if (delegate[2] != 0) error = spend(delegate + DELEGATE_HEAD + (u64)call->data[8] * SCOPE, amount, time);
  if (error) return error;
  u8 data[16];
  if (is_sol) {
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

static __attribute__((noinline)) u64 read_call(u8 *input, Call *call) {
  u64 count = *(u64 *)input;
  if (count > ACCOUNTS_MAX) return BAD_ACCOUNTS;
  u8 *at = input + 8;
  Account *accounts = (Account *)(HEAP + 4096);
  for (u64 i = 0; i < count; i++) {
    if (at[0] != 0xff) {
      accounts[i] = accounts[at[0]];
      at += 8;
      continue;
    }
    accounts[i].is_signer = at[1];
    accounts[i].is_writable = at[2];
    accounts[i].executable = at[3];
    accounts[i].key = at + 8;
    accounts[i].owner = at + 40;
    accounts[i].lamports = (u64 *)(at + 72);
    accounts[i].data_len = *(u64 *)(at + 80);
    accounts[i].data = at + 88;
    at = (u8 *)(((u64)at + 88 + accounts[i].data_len + 10240 + 7) & ~7ull);
    accounts[i].rent_epoch = *(u64 *)at;
    at += 8;
  }
  call->accounts = accounts;
  call->count = count;
  call->len = *(u64 *)at;
  call->data = at + 8;
  call->program = at + 8 + call->len;
  return 0;
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
  if (kind == 1) return execute(&call);
  if (kind == 2) return set_delegate(&call);
  if (kind == 3) return remove_delegate(&call);
  if (kind == 4) return transfer(&call);
  if (kind == 5) return raise_epoch(&call);
  return BAD_INSTRUCTION;
}

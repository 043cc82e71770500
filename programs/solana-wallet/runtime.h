// SPDX-License-Identifier: Apache-2.0
//
// What the runtime gives a program: accounts and instruction in one buffer, and calls by name.

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
extern u64 sol_keccak256(const Slice *, u64, u8 *);
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
  PAST_DEADLINE = 16,
  NUMBER_USED = 17,     // by an operation that P-256 keys approved, or too old to tell
};

#define HEAP ((u8 *)0x300000000ull)
#define METAS HEAP
#define ACCOUNTS (HEAP + 4096)
#define SLICES (HEAP + 8192)
#define ACCOUNTS_MAX 64

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

static i64 now(void) {
  i64 clock[5];
  return sol_get_clock_sysvar(clock) ? -1 : clock[4];
}

static __attribute__((noinline)) u64 read_call(u8 *input, Call *call) {
  u64 count = *(u64 *)input;
  if (count > ACCOUNTS_MAX) return BAD_ACCOUNTS;
  u8 *at = input + 8;
  Account *accounts = (Account *)ACCOUNTS;
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


// SPDX-License-Identifier: Apache-2.0
//
// Approvals by P-256 keys. The runtime's secp256r1 program checks the signatures; here is looked up what it was given, in the
// sysvar that holds the transaction's instructions. What a key approves is the Keccak-256 of a domain and of every other
// instruction of the transaction, accounts and flags included: so of the program, the wallet, deadline and number that stand in
// them, and of the durable nonce account that the first of them advances.

#define P256_KEY 33
#define DEVICE 1
#define PASSKEY 2

static const u8 INSTRUCTIONS[32] = {6, 167, 213, 23, 24, 123, 209, 102, 53, 218, 212, 4, 85, 253, 194, 192, 193, 36, 198, 143, 33, 86, 117, 165, 219, 186, 203, 95, 8, 0, 0, 0};
static const u8 SECP256R1[32] = {6, 146, 13, 236, 47, 234, 113, 181, 183, 35, 129, 77, 116, 45, 169, 3, 28, 131, 231, 95, 219, 121, 93, 86, 142, 117, 71, 128, 32, 0, 0, 0};
static const char DOMAIN[] = "Purser Solana wallet operation 1";
static const char CLIENT[] = "{\"type\":\"webauthn.get\",\"challenge\":\"";
static const char BASE64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#define INSTRUCTIONS_MAX 64
#define SIGNATURES_MAX 8
#define OFFSETS 14
#define AUTHENTICATOR_MIN 37
#define CHALLENGE_LENGTH 43

/// The transaction's instructions, and what P-256 keys sign of them.
typedef struct {
  const u8 *at;
  u64 len;
  u8 hash[32];
} Transaction;

static u64 read16(const u8 *at) { return at[0] | (u64)at[1] << 8; }

/// Instruction number `index`: how many accounts, 33 bytes for each, program, length of the data, data.
static u64 start_of(const Transaction *transaction, u64 index) { return read16(transaction->at + 2 + 2 * index); }

static const u8 *program_of(const Transaction *transaction, u64 start) {
  return transaction->at + start + 2 + 33 * read16(transaction->at + start);
}

/// Accounts: one of them is the sysvar.
static __attribute__((noinline)) u64 read_transaction(const Call *call, Transaction *transaction) {
  transaction->at = 0;
  for (u64 i = 0; i < call->count && !transaction->at; i++)
    if (same(call->accounts[i].key, INSTRUCTIONS, 32)) {
      transaction->at = call->accounts[i].data;
      transaction->len = call->accounts[i].data_len;
    }
  if (!transaction->at) return NOT_ENOUGH_SIGNERS;
  u64 count = read16(transaction->at), used = 1;
  if (count > INSTRUCTIONS_MAX) return BAD_INSTRUCTION;
  Slice *slices = (Slice *)SLICES;
  slices[0].at = DOMAIN;
  slices[0].len = sizeof(DOMAIN) - 1;
  for (u64 i = 0; i < count; i++) {
    u64 start = start_of(transaction, i), end = i + 1 < count ? start_of(transaction, i + 1) : transaction->len - 2;
    if (same(program_of(transaction, start), SECP256R1, 32)) continue;
    slices[used].at = transaction->at + start;
    slices[used].len = end - start;
    used++;
  }
  return sol_keccak256(slices, used, transaction->hash);
}

/// The hash in base64url.
static __attribute__((noinline)) void write_challenge(u8 *to, const u8 *hash) {
  for (u64 i = 0; i < CHALLENGE_LENGTH; i++) {
    u64 bit = 6 * i, byte = bit >> 3;
    u64 pair = (u64)hash[byte] << 8 | (byte + 1 < 32 ? hash[byte + 1] : 0);
    to[i] = BASE64[pair >> (10 - (bit & 7)) & 63];
  }
}

/// What an authenticator signs: its data and the SHA-256 of the client's data, a text that begins with type and challenge (WebAuthn
/// Level 2, 5.8.1.1). Its rest stands behind the message in the instruction: length u16, text from the challenge's end on.
static __attribute__((noinline)) int is_assertion(const u8 *message, u64 size, u64 rest, const u8 *hash) {
  if (size < AUTHENTICATOR_MIN + 32 || rest < 3) return 0;
  u8 flags = message[32];
  // Present and verified; a key that cannot be backed up is not.
  if ((flags & 5) != 5 || (flags & 24) == 16) return 0;
  const u8 *tail = message + size + 2;
  u64 length = read16(message + size);
  if (rest - 2 < length || length == 0 || tail[0] != '"') return 0;
  u8 challenge[CHALLENGE_LENGTH], digest[32];
  write_challenge(challenge, hash);
  Slice client[3] = {{CLIENT, sizeof(CLIENT) - 1}, {challenge, CHALLENGE_LENGTH}, {tail, length}};
  sol_sha256(client, 3, digest);
  return same(digest, message + size - 32, 32);
}

/// Whether the signature at `offsets` of the secp256r1 instruction's data is the member's (kind, key) over the hash.
static __attribute__((noinline)) int is_approval(const Slice *data, const u8 *offsets, const u8 *member, const u8 *hash) {
  // Signature, key and message of this very instruction: what the runtime has checked is what is read here.
  if (read16(offsets + 2) != 0xffff || read16(offsets + 6) != 0xffff || read16(offsets + 12) != 0xffff) return 0;
  u64 key = read16(offsets + 4), message = read16(offsets + 8), size = read16(offsets + 10);
  if (key + P256_KEY > data->len || message + size > data->len) return 0;
  const u8 *at = data->at;
  if (!same(at + key, member + 1, P256_KEY)) return 0;
  if (member[0] == DEVICE) return size == 32 && same(at + message, hash, 32);
  return member[0] == PASSKEY && is_assertion(at + message, size, data->len - message - size, hash);
}

static __attribute__((noinline)) int is_approved(const Transaction *transaction, const u8 *member) {
  u64 count = read16(transaction->at);
  for (u64 i = 0; i < count; i++) {
    const u8 *program = program_of(transaction, start_of(transaction, i));
    if (!same(program, SECP256R1, 32)) continue;
    Slice data = {program + 34, read16(program + 32)};
    const u8 *at = data.at;
    if (data.len < 2 || at[0] > SIGNATURES_MAX || data.len < 2 + (u64)at[0] * OFFSETS) continue;
    for (u64 j = 0; j < at[0]; j++)
      if (is_approval(&data, at + 2 + j * OFFSETS, member, transaction->hash)) return 1;
  }
  return 0;
}

// Which numbers were used: the highest, and a bit for each of those shortly below it.
#define WINDOW_WORDS 8
#define WINDOW (8 + 8 * WINDOW_WORDS)

/// Takes a number that nobody took; of those more than 448 below the highest nobody knows any more.
static __attribute__((noinline)) u64 take_number(u8 *window, u64 number) {
  u64 *words = (u64 *)window + 1, highest = *(u64 *)window;
  u64 word = number >> 6, last = highest >> 6;
  if (number > highest) {
    for (u64 i = last + 1; i <= word && i <= last + WINDOW_WORDS; i++) words[i % WINDOW_WORDS] = 0;
    *(u64 *)window = number;
  } else if (last - word >= WINDOW_WORDS) return NUMBER_USED;
  u64 *at = words + word % WINDOW_WORDS, bit = 1ull << (number & 63);
  if (*at & bit) return NUMBER_USED;
  *at |= bit;
  return 0;
}

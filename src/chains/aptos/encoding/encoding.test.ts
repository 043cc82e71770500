import {
  AccountAddress,
  AccountAuthenticatorEd25519,
  AccountAuthenticatorMultiKey,
  AnyPublicKey,
  AnySignature,
  ChainId,
  Deserializer,
  Ed25519PrivateKey,
  Ed25519PublicKey,
  Ed25519Signature,
  EntryFunction,
  type EntryFunctionArgument,
  FeePayerRawTransaction,
  generateSigningMessageForTransaction,
  generateUserTransactionHash,
  Identifier,
  ModuleId,
  MultiKey,
  MultiKeySignature,
  parseTypeTag as officialTypeTag,
  RawTransaction,
  Secp256k1PublicKey,
  Secp256k1Signature,
  SignedTransaction,
  SimpleTransaction,
  TransactionAuthenticatorEd25519,
  TransactionAuthenticatorFeePayer,
  TransactionExecutableEntryFunction,
  TransactionExtraConfigV1,
  TransactionInnerPayloadV1,
  TransactionPayloadEntryFunction,
} from '@aptos-labs/ts-sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressOfEd25519,
  addressOfMultiKey,
  addressOfSingleKey,
  longAddress,
  shortAddress,
} from './addresses.ts';
import { feePayerMessage, senderMessage, transactionHash } from './hashes.ts';
import {
  decodeRaw,
  decodeSigned,
  encodeOrderless,
  rawTransaction,
  readPayload,
  signedTransaction,
} from './transactions.ts';
import { formatTypeTag, parseTypeTag, typeTag } from './type-tags.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hex = (data: Uint8Array) => `0x${Buffer.from(data).toString('hex')}`;
const address = bytes(32).map(hex);
const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,20}$/);
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const word = fc.constantFrom('bool', 'u8', 'u16', 'u32', 'u64', 'u128', 'u256', 'address');
const { type } = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    word,
    tie('type').map((of) => `vector<${of}>`),
    fc
      .tuple(address, name, name, fc.array(tie('type'), { maxLength: 2 }))
      .map(
        ([at, module, own, of]) =>
          `${at}::${module}::${own}${of.length > 0 ? `<${of.join(', ')}>` : ''}`,
      ),
  ),
}));
const call = fc.record({
  address,
  module: name,
  function: name,
  types: fc.array(type, { maxLength: 3 }),
  args: fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }),
});
const rest = fc.record({
  sender: address,
  maxGasAmount: u64,
  gasUnitPrice: u64,
  expirationSeconds: u64,
  chainId: fc.integer({ min: 1, max: 255 }),
});

/** The official library's form of the same call; an argument is bytes as they are. */
function officialCall(input: typeof call extends fc.Arbitrary<infer T> ? T : never): EntryFunction {
  return new EntryFunction(
    new ModuleId(AccountAddress.from(input.address), new Identifier(input.module)),
    new Identifier(input.function),
    input.types.map((text) => officialTypeTag(text)),
    input.args.map((arg) => rawArgument(arg)),
  );
}

function rawArgument(data: Uint8Array): EntryFunctionArgument {
  return {
    serializeForEntryFunction: (serializer: { serializeBytes(value: Uint8Array): void }) =>
      serializer.serializeBytes(data),
  } as unknown as EntryFunctionArgument;
}

describe('the encoding of Aptos, byte for byte as the official library 5.1.4 writes it', () => {
  it('writes orderless transactions, what sender and fee payer sign of them, and their hash', () => {
    fc.assert(
      fc.property(
        call,
        rest,
        u64,
        address,
        bytes(32),
        bytes(64),
        (asked, fields, nonce, payer, publicKey, signature) => {
          const own = { ...asked, typeArgs: asked.types.map(parseTypeTag) };
          const raw = encodeOrderless({ ...fields, call: own, nonce });
          const official = new RawTransaction(
            AccountAddress.from(fields.sender),
            0xdeadbeefn,
            new TransactionInnerPayloadV1(
              new TransactionExecutableEntryFunction(officialCall(asked)),
              new TransactionExtraConfigV1(undefined, nonce),
            ),
            fields.maxGasAmount,
            fields.gasUnitPrice,
            fields.expirationSeconds,
            new ChainId(fields.chainId),
          );
          expect(hex(raw)).toBe(hex(official.bcsToBytes()));
          const simple = new SimpleTransaction(official, AccountAddress.from(payer));
          expect(hex(feePayerMessage(raw, payer))).toBe(
            hex(generateSigningMessageForTransaction(simple)),
          );
          expect(readPayload(decodeRaw(raw).payload)).toMatchObject({
            nonce,
            call: { module: asked.module },
          });

          const auth = new AccountAuthenticatorEd25519(
            new Ed25519PublicKey(publicKey),
            new Ed25519Signature(signature),
          );
          const signed = signedTransaction
            .serialize({
              raw: decodeRaw(raw),
              authenticator: {
                feePayer: {
                  sender: { ed25519: { publicKey, signature } },
                  secondaryAddresses: [],
                  secondary: [],
                  feePayerAddress: payer,
                  feePayer: { ed25519: { publicKey, signature } },
                },
              },
            })
            .toBytes();
          const whole = new TransactionAuthenticatorFeePayer(auth, [], [], {
            address: AccountAddress.from(payer),
            authenticator: auth,
          });
          expect(hex(signed)).toBe(hex(new SignedTransaction(official, whole).bcsToBytes()));
          expect(transactionHash(signed)).toBe(
            generateUserTransactionHash({
              transaction: simple,
              senderAuthenticator: auth,
              feePayerAuthenticator: auth,
            }),
          );
          expect(hex(signedTransaction.serialize(decodeSigned(signed)).toBytes())).toBe(
            hex(signed),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads and writes transactions with a sequence number, signed by one key', () => {
    fc.assert(
      fc.property(
        call,
        rest,
        u64,
        bytes(32),
        bytes(64),
        (asked, fields, sequenceNumber, publicKey, signature) => {
          const own = { ...asked, typeArgs: asked.types.map(parseTypeTag) };
          const raw = rawTransaction
            .serialize({ ...fields, sequenceNumber, payload: { entryFunction: own } })
            .toBytes();
          const official = new RawTransaction(
            AccountAddress.from(fields.sender),
            sequenceNumber,
            new TransactionPayloadEntryFunction(officialCall(asked)),
            fields.maxGasAmount,
            fields.gasUnitPrice,
            fields.expirationSeconds,
            new ChainId(fields.chainId),
          );
          expect(hex(raw)).toBe(hex(official.bcsToBytes()));
          expect(hex(senderMessage(raw))).toBe(
            hex(generateSigningMessageForTransaction(new SimpleTransaction(official))),
          );
          const auth = new TransactionAuthenticatorEd25519(
            new Ed25519PublicKey(publicKey),
            new Ed25519Signature(signature),
          );
          const signed = new SignedTransaction(official, auth).bcsToBytes();
          expect(decodeSigned(signed).authenticator).toMatchObject({
            ed25519: { publicKey, signature },
          });
          expect(hex(signedTransaction.serialize(decodeSigned(signed)).toBytes())).toBe(
            hex(signed),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reads multi-key signatures, and derives the addresses of all kinds of keys', () => {
    const one = Ed25519PrivateKey.generate();
    const uncompressed = new Uint8Array(65).fill(4);
    const keys = [
      new AnyPublicKey(one.publicKey()),
      new AnyPublicKey(new Secp256k1PublicKey(uncompressed)),
    ];
    const multi = new MultiKey({ publicKeys: keys, signaturesRequired: 1 });
    const signature = new MultiKeySignature({
      signatures: [new AnySignature(new Secp256k1Signature(new Uint8Array(64)))],
      bitmap: [1],
    });
    const auth = new AccountAuthenticatorMultiKey(multi, signature);
    const own = [{ ed25519: one.publicKey().toUint8Array() }, { secp256k1: uncompressed }];
    expect(addressOfEd25519(one.publicKey().toUint8Array())).toBe(
      one.publicKey().authKey().derivedAddress().toStringLong(),
    );
    expect(addressOfSingleKey(own[1]!)).toBe(keys[1]!.authKey().derivedAddress().toStringLong());
    expect(addressOfMultiKey(own, 1)).toBe(multi.authKey().derivedAddress().toStringLong());
    const payer = AccountAddress.from('0x7');
    const raw = RawTransaction.deserialize(
      new Deserializer(
        encodeOrderless({
          sender: longAddress('0x5'),
          call: { address: longAddress('0x1'), module: 'a', function: 'b', typeArgs: [], args: [] },
          nonce: 1n,
          maxGasAmount: 2n,
          gasUnitPrice: 100n,
          expirationSeconds: 9n,
          chainId: 4,
        }),
      ),
    );
    expect(new FeePayerRawTransaction(raw, [], payer).bcsToBytes().length).toBeGreaterThan(0);
    const signed = new SignedTransaction(
      raw,
      new TransactionAuthenticatorFeePayer(auth, [], [], { address: payer, authenticator: auth }),
    );
    const read = decodeSigned(signed.bcsToBytes());
    expect(hex(signedTransaction.serialize(read).toBytes())).toBe(hex(signed.bcsToBytes()));
    expect(read.authenticator.feePayer?.sender.multiKey).toMatchObject({
      publicKeys: { signaturesRequired: 1 },
    });
  });

  it('reads types as the library does, and spells each in one way', () => {
    fc.assert(
      fc.property(type, (text) => {
        const tag = parseTypeTag(text);
        expect(hex(typeTag.serialize(tag).toBytes())).toBe(hex(officialTypeTag(text).bcsToBytes()));
        expect(formatTypeTag(tag)).toBe(officialTypeTag(text).toString().replaceAll(' ', ''));
        expect(parseTypeTag(formatTypeTag(tag))).toEqual(tag);
        expect(typeTag.parse(typeTag.serialize(tag).toBytes())).toEqual(tag);
      }),
      { numRuns: 200 },
    );
    expect(
      formatTypeTag(
        parseTypeTag(`0x${'0'.repeat(63)}1::coin::CoinStore<0x01::aptos_coin::AptosCoin>`),
      ),
    ).toBe('0x1::coin::CoinStore<0x1::aptos_coin::AptosCoin>');
    expect(shortAddress(longAddress('0xA'))).toBe('0xa');
  });

  it('refuses text that is no type, types that are too deep, and bytes with something behind them', () => {
    for (const text of [
      '',
      'u7',
      '0x1::coin',
      '0x1::a::B<',
      '0x1::a::B<>',
      '0x1::a::B<u8>x',
      'vector',
      'vector<u8,u8>',
      '1::a::B',
    ])
      expect(() => parseTypeTag(text), text).toThrow('no type');
    expect(() => parseTypeTag(`${'vector<'.repeat(9)}u8${'>'.repeat(9)}`)).toThrow('deeper');
    expect(() => decodeRaw(new Uint8Array(40))).toThrow();
    const raw = encodeOrderless({
      sender: longAddress('0x5'),
      call: { address: longAddress('0x1'), module: 'a', function: 'b', typeArgs: [], args: [] },
      nonce: 1n,
      maxGasAmount: 2n,
      gasUnitPrice: 100n,
      expirationSeconds: 9n,
      chainId: 4,
    });
    expect(() => decodeRaw(new Uint8Array([...raw, 0]))).toThrow('canonical');
  });
});

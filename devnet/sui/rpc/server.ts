import type { IncomingMessage, ServerResponse } from 'node:http';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils';
import { type LocalServer, listenLocally, readBody } from '../../in-process.ts';
import { Refusal } from '../execution/refusals.ts';
import type { Chain } from '../ledger/chain.ts';
import { ledgerMethods } from './ledger.ts';
import type { Method } from './method.ts';
import { stateMethods } from './state.ts';
import { lockMethod, transactionMethods } from './transactions.ts';

const bodyBytesMax = 4 * 1024 * 1024;
const trailerFlag = 0x80;
const faucetMist = 10_000_000_000n;
const services: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  'sui.rpc.v2.LedgerService': ledgerMethods,
  'sui.rpc.v2.StateService': stateMethods,
  'sui.rpc.v2.TransactionExecutionService': transactionMethods,
  'purser.devnet.v1.SuiService': { LockTransaction: lockMethod },
};

/** gRPC-web over HTTP/1.1, and the faucet, on 127.0.0.1. */
export function startRpcServer(chain: Chain, port: number): Promise<LocalServer> {
  return listenLocally(
    (request, response) =>
      request.url === '/v2/gas'
        ? serveFaucet(chain, request, response)
        : serveCall(chain, request, response),
    port,
  );
}

/** A body of one frame; the status is in a frame of trailers. Text is the same in base64. */
async function serveCall(
  chain: Chain,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isText = request.headers['content-type']?.startsWith('application/grpc-web-text') === true;
  const body = await readBody(request, bodyBytesMax);
  const frames = await answer(
    chain,
    request.url ?? '/',
    isText ? Buffer.from(body.toString(), 'base64') : body,
  );
  response.writeHead(200, {
    'content-type': isText ? 'application/grpc-web-text' : 'application/grpc-web+proto',
  });
  response.end(isText ? frames.toString('base64') : frames);
}

async function answer(chain: Chain, url: string, body: Buffer): Promise<Buffer> {
  try {
    const message = await methodAt(url)(chain, readFrame(body));
    return Buffer.concat([frame(0, Buffer.from(message)), trailer(GrpcStatusCode.OK, '')]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return trailer(error instanceof Refusal ? error.code : GrpcStatusCode.INTERNAL, message);
  }
}

function methodAt(url: string): Method {
  const [, service = '', name = ''] = url.split('/');
  const methods = Object.hasOwn(services, service) ? services[service]! : {};
  if (Object.hasOwn(methods, name)) return methods[name]!;
  throw new Refusal('UNIMPLEMENTED', `The local Sui chain does not serve ${service}/${name}`);
}

function readFrame(body: Buffer): Uint8Array {
  const length = body.length >= 5 ? body.readUInt32BE(1) : -1;
  if (length < 0 || body.length < 5 + length)
    throw new Refusal('INVALID_ARGUMENT', 'This is no request of gRPC-web');
  return body.subarray(5, 5 + length);
}

function frame(flag: number, message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function trailer(status: GrpcStatusCode, message: string): Buffer {
  const text = message === '' ? '' : `grpc-message: ${encodeURIComponent(message)}\r\n`;
  return frame(trailerFlag, Buffer.from(`grpc-status: ${status}\r\n${text}`));
}

/** As the public faucet of test networks: a coin of 10 SUI. */
async function serveFaucet(
  chain: Chain,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body: { FixedAmountRequest?: { recipient?: unknown } } = JSON.parse(
    (await readBody(request, bodyBytesMax)).toString() || '{}',
  );
  const { recipient } = body.FixedAmountRequest ?? {};
  const send = (status: number, content: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  if (typeof recipient !== 'string' || !isValidSuiAddress(normalizeSuiAddress(recipient)))
    return void send(400, {
      status: { Failure: { internal: 'FixedAmountRequest.recipient is no address' } },
      coins_sent: null,
    });
  const id = chain.faucet(recipient, faucetMist);
  send(200, {
    status: 'Success',
    coins_sent: [
      { amount: Number(faucetMist), id, transferTxDigest: chain.read(id)?.previousTransaction },
    ],
  });
}

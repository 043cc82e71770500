// Written by contracts/compile.ts: change the Solidity and run `tsx contracts/compile.ts`.

export const salt = '0x0000000000000000000000000000000000000000000000000000000000000000';

export const singletonFactoryAddress = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';

export const safeProxyInitCodeHash = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb';

export const addresses = {
  safeSingleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  safeProxyFactory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  signerVerifier: '0x0d2E37F3F0592103E6ef984703e2DA11c24DbBb7',
  walletModule: '0xdBB1bc11FF827a70F183734d5756DC722120a43A',
  batchExecutor: '0x96EF454AD26d6461B44fCAFfB893BB27396be9b8',
  signerOwner: '0x5244A479540AB0c32a5A0f992ce0EC6e71d79680',
  signerOwnerFactory: '0xd6b17aaE9958972164dcB6F61678f0dd79319082',
  walletSetup: '0xc6185FC60eaf44107DCa18a9064B93A3e7fC71DF',
  signatureHandler: '0xD545E23E13D9EB0DEFc46e67A9560282975f8FD3',
  delegatedAccount: '0x2Af153F6C29b7507Dbcf6E566836F6A01b478088',
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
} as const;

export const constructorArgs = {
  SignerVerifier: '0x',
  WalletModule: '0x0000000000000000000000000d2e37f3f0592103e6ef984703e2da11c24dbbb7',
  BatchExecutor: '0x000000000000000000000000dbb1bc11ff827a70f183734d5756dc722120a43a',
  SignerOwner: '0x0000000000000000000000000d2e37f3f0592103e6ef984703e2da11c24dbbb7',
  SignerOwnerFactory: '0x0000000000000000000000005244a479540ab0c32a5a0f992ce0ec6e71d79680',
  WalletSetup: '0x000000000000000000000000dbb1bc11ff827a70f183734d5756dc722120a43a000000000000000000000000d6b17aae9958972164dcb6f61678f0dd79319082',
  SignatureHandler: '0x000000000000000000000000dbb1bc11ff827a70f183734d5756dc722120a43a',
} as const;

export const batchExecutorAbi = [
  {"inputs":[{"internalType":"contract WalletModule","name":"module","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"internalType":"uint256","name":"index","type":"uint256"},{"internalType":"uint256","name":"gasLimit","type":"uint256"}],"name":"InsufficientBatchGas","type":"error"},
  {"inputs":[],"name":"ModuleNotDeployed","type":"error"},
  {"inputs":[],"name":"NotInOrder","type":"error"},
  {"inputs":[],"name":"OnlySelf","type":"error"},
  {"inputs":[{"internalType":"address","name":"expected","type":"address"},{"internalType":"address","name":"deployed","type":"address"}],"name":"WalletAddressMismatch","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"uint256","name":"index","type":"uint256"},{"indexed":false,"internalType":"bytes","name":"reason","type":"bytes"}],"name":"ItemFailed","type":"event"},
  {"inputs":[],"name":"MODULE","outputs":[{"internalType":"contract WalletModule","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"bytes","name":"deployment","type":"bytes"}],"name":"deployWallet","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"components":[{"components":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"nonce","type":"uint256"},{"internalType":"uint64","name":"epoch","type":"uint64"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"internalType":"uint256","name":"callGas","type":"uint256"}],"internalType":"struct WalletModule.Operation","name":"op","type":"tuple"},{"internalType":"bytes","name":"signature","type":"bytes"},{"internalType":"bytes","name":"deployment","type":"bytes"},{"internalType":"uint256","name":"gasLimit","type":"uint256"}],"internalType":"struct BatchExecutor.Item[]","name":"items","type":"tuple[]"}],"name":"executeBatch","outputs":[{"components":[{"internalType":"bool","name":"executed","type":"bool"},{"internalType":"bool","name":"success","type":"bool"},{"internalType":"bytes","name":"returnData","type":"bytes"},{"internalType":"uint256","name":"gasUsed","type":"uint256"}],"internalType":"struct BatchExecutor.ItemResult[]","name":"results","type":"tuple[]"}],"stateMutability":"nonpayable","type":"function"},
] as const;

export const delegatedAccountAbi = [
  {"inputs":[],"name":"OnlyCalls","type":"error"},
  {"inputs":[],"name":"OnlyModule","type":"error"},
  {"inputs":[],"name":"WrongSignature","type":"error"},
  {"stateMutability":"payable","type":"fallback"},
  {"inputs":[],"name":"MODULE","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"digest","type":"bytes32"},{"internalType":"bytes","name":"","type":"bytes"},{"internalType":"bytes","name":"signatures","type":"bytes"}],"name":"checkSignatures","outputs":[],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"},{"internalType":"uint8","name":"operation","type":"uint8"}],"name":"execTransactionFromModuleReturnData","outputs":[{"internalType":"bool","name":"success","type":"bool"},{"internalType":"bytes","name":"returnData","type":"bytes"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"module","type":"address"}],"name":"isModuleEnabled","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"hash","type":"bytes32"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isValidSignature","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256[]","name":"","type":"uint256[]"},{"internalType":"uint256[]","name":"","type":"uint256[]"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"onERC1155BatchReceived","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"onERC1155Received","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"onERC721Received","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"bytes4","name":"interfaceId","type":"bytes4"}],"name":"supportsInterface","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"bytes","name":"","type":"bytes"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"tokensReceived","outputs":[],"stateMutability":"pure","type":"function"},
  {"stateMutability":"payable","type":"receive"},
] as const;

export const signatureHandlerAbi = [
  {"inputs":[{"internalType":"contract WalletModule","name":"module","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[],"name":"ModuleNotDeployed","type":"error"},
  {"inputs":[],"name":"MODULE","outputs":[{"internalType":"contract WalletModule","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"hash","type":"bytes32"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isValidSignature","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes","name":"message","type":"bytes"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isValidSignature","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256[]","name":"","type":"uint256[]"},{"internalType":"uint256[]","name":"","type":"uint256[]"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"onERC1155BatchReceived","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"onERC1155Received","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"onERC721Received","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"bytes4","name":"interfaceId","type":"bytes4"}],"name":"supportsInterface","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"address","name":"","type":"address"},{"internalType":"uint256","name":"","type":"uint256"},{"internalType":"bytes","name":"","type":"bytes"},{"internalType":"bytes","name":"","type":"bytes"}],"name":"tokensReceived","outputs":[],"stateMutability":"pure","type":"function"},
] as const;

export const signerOwnerAbi = [
  {"inputs":[{"internalType":"contract ISignerVerifier","name":"verifier","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[],"name":"VERIFIER","outputs":[{"internalType":"contract ISignerVerifier","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"hash","type":"bytes32"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isValidSignature","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes","name":"preimage","type":"bytes"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isValidSignature","outputs":[{"internalType":"bytes4","name":"","type":"bytes4"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"signerId","outputs":[{"internalType":"bytes32","name":"","type":"bytes32"}],"stateMutability":"view","type":"function"},
] as const;

export const signerOwnerFactoryAbi = [
  {"inputs":[{"internalType":"address","name":"ownerCode","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[],"name":"CloneArgumentsTooLong","type":"error"},
  {"inputs":[],"name":"Create2EmptyBytecode","type":"error"},
  {"inputs":[],"name":"FailedDeployment","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"balance","type":"uint256"},{"internalType":"uint256","name":"needed","type":"uint256"}],"name":"InsufficientBalance","type":"error"},
  {"inputs":[],"name":"OwnerCodeNotDeployed","type":"error"},
  {"inputs":[],"name":"OWNER_CODE","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"deployOwner","outputs":[{"internalType":"address","name":"owner","type":"address"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"ownerOf","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
] as const;

export const signerVerifierAbi = [
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"bytes32","name":"hash","type":"bytes32"},{"internalType":"bytes","name":"proof","type":"bytes"}],"name":"verify","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"view","type":"function"},
] as const;

export const testTokenAbi = [
  {"inputs":[{"internalType":"string","name":"name_","type":"string"},{"internalType":"string","name":"symbol_","type":"string"},{"internalType":"address","name":"owner","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"internalType":"address","name":"spender","type":"address"},{"internalType":"uint256","name":"allowance","type":"uint256"},{"internalType":"uint256","name":"needed","type":"uint256"}],"name":"ERC20InsufficientAllowance","type":"error"},
  {"inputs":[{"internalType":"address","name":"sender","type":"address"},{"internalType":"uint256","name":"balance","type":"uint256"},{"internalType":"uint256","name":"needed","type":"uint256"}],"name":"ERC20InsufficientBalance","type":"error"},
  {"inputs":[{"internalType":"address","name":"approver","type":"address"}],"name":"ERC20InvalidApprover","type":"error"},
  {"inputs":[{"internalType":"address","name":"receiver","type":"address"}],"name":"ERC20InvalidReceiver","type":"error"},
  {"inputs":[{"internalType":"address","name":"sender","type":"address"}],"name":"ERC20InvalidSender","type":"error"},
  {"inputs":[{"internalType":"address","name":"spender","type":"address"}],"name":"ERC20InvalidSpender","type":"error"},
  {"inputs":[],"name":"InvalidShortString","type":"error"},
  {"inputs":[],"name":"OnlyOwner","type":"error"},
  {"inputs":[{"internalType":"string","name":"str","type":"string"}],"name":"StringTooLong","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"owner","type":"address"},{"indexed":true,"internalType":"address","name":"spender","type":"address"},{"indexed":false,"internalType":"uint256","name":"value","type":"uint256"}],"name":"Approval","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"from","type":"address"},{"indexed":true,"internalType":"address","name":"to","type":"address"},{"indexed":false,"internalType":"uint256","name":"value","type":"uint256"}],"name":"Transfer","type":"event"},
  {"inputs":[],"name":"OWNER","outputs":[{"internalType":"address","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"owner","type":"address"},{"internalType":"address","name":"spender","type":"address"}],"name":"allowance","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"spender","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"}],"name":"approve","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"account","type":"address"}],"name":"balanceOf","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"decimals","outputs":[{"internalType":"uint8","name":"","type":"uint8"}],"stateMutability":"pure","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"amount","type":"uint256"}],"name":"mint","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[],"name":"name","outputs":[{"internalType":"string","name":"","type":"string"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"symbol","outputs":[{"internalType":"string","name":"","type":"string"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"totalSupply","outputs":[{"internalType":"uint256","name":"","type":"uint256"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"}],"name":"transfer","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"from","type":"address"},{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"}],"name":"transferFrom","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"nonpayable","type":"function"},
] as const;

export const walletModuleAbi = [
  {"inputs":[{"internalType":"contract ISignerVerifier","name":"verifier","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[{"internalType":"uint256","name":"index","type":"uint256"},{"internalType":"bytes","name":"returnData","type":"bytes"}],"name":"CallFailed","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"callIndex","type":"uint256"},{"internalType":"address","name":"recipient","type":"address"}],"name":"ForbiddenRecipient","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"callIndex","type":"uint256"},{"internalType":"address","name":"target","type":"address"}],"name":"ForbiddenTarget","type":"error"},
  {"inputs":[{"internalType":"address","name":"token","type":"address"}],"name":"ForbiddenToken","type":"error"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint256","name":"nonce","type":"uint256"}],"name":"ForeignNonce","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"callGas","type":"uint256"}],"name":"InsufficientGas","type":"error"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"InvalidSignature","type":"error"},
  {"inputs":[],"name":"InvalidSigner","type":"error"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"}],"name":"ModuleStillEnabled","type":"error"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"uint256","name":"nonce","type":"uint256"}],"name":"NonceAlreadyUsed","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"callIndex","type":"uint256"},{"internalType":"address","name":"token","type":"address"}],"name":"NotATransfer","type":"error"},
  {"inputs":[],"name":"OnlySelf","type":"error"},
  {"inputs":[{"internalType":"uint48","name":"validUntil","type":"uint48"}],"name":"OperationExpired","type":"error"},
  {"inputs":[{"internalType":"uint48","name":"validAfter","type":"uint48"}],"name":"OperationNotYetValid","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"expected","type":"uint256"},{"internalType":"uint256","name":"named","type":"uint256"}],"name":"ScopesMismatch","type":"error"},
  {"inputs":[],"name":"SignatureTooShort","type":"error"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint48","name":"validUntil","type":"uint48"}],"name":"SignerExpired","type":"error"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint48","name":"validAfter","type":"uint48"}],"name":"SignerNotYetValid","type":"error"},
  {"inputs":[],"name":"SimulationOnChain","type":"error"},
  {"inputs":[{"internalType":"bool","name":"success","type":"bool"},{"internalType":"uint256","name":"failedCall","type":"uint256"},{"internalType":"bytes","name":"returnData","type":"bytes"},{"internalType":"uint256","name":"gasUsed","type":"uint256"},{"internalType":"uint64","name":"epoch","type":"uint64"}],"name":"SimulationResult","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"callIndex","type":"uint256"},{"internalType":"uint256","name":"amount","type":"uint256"},{"internalType":"uint256","name":"available","type":"uint256"}],"name":"SpendingLimitExceeded","type":"error"},
  {"inputs":[],"name":"TooManyScopes","type":"error"},
  {"inputs":[{"internalType":"address","name":"token","type":"address"}],"name":"TransferNotConfirmed","type":"error"},
  {"inputs":[{"internalType":"uint256","name":"callIndex","type":"uint256"},{"internalType":"uint256","name":"scopeIndex","type":"uint256"}],"name":"UnknownScope","type":"error"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"UnknownSigner","type":"error"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"}],"name":"UnknownWallet","type":"error"},
  {"inputs":[],"name":"VerifierNotDeployed","type":"error"},
  {"inputs":[{"internalType":"address","name":"expected","type":"address"},{"internalType":"address","name":"deployed","type":"address"}],"name":"WalletAddressMismatch","type":"error"},
  {"inputs":[{"internalType":"uint64","name":"named","type":"uint64"},{"internalType":"uint64","name":"current","type":"uint64"}],"name":"WrongEpoch","type":"error"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint32","name":"expected","type":"uint32"},{"internalType":"uint32","name":"actual","type":"uint32"}],"name":"WrongGeneration","type":"error"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"wallet","type":"address"},{"indexed":false,"internalType":"uint32","name":"epoch","type":"uint32"}],"name":"EpochRaised","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"wallet","type":"address"},{"indexed":false,"internalType":"uint256","name":"nonce","type":"uint256"}],"name":"NonceCancelled","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"wallet","type":"address"},{"indexed":true,"internalType":"bytes32","name":"operationHash","type":"bytes32"},{"indexed":false,"internalType":"bool","name":"success","type":"bool"},{"indexed":false,"internalType":"bytes","name":"reason","type":"bytes"}],"name":"OperationExecuted","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"wallet","type":"address"},{"indexed":true,"internalType":"bytes32","name":"signerId","type":"bytes32"},{"indexed":false,"internalType":"uint32","name":"generation","type":"uint32"},{"indexed":false,"internalType":"uint48","name":"validAfter","type":"uint48"},{"indexed":false,"internalType":"uint48","name":"validUntil","type":"uint48"},{"components":[{"internalType":"address","name":"token","type":"address"},{"internalType":"uint112","name":"limit","type":"uint112"},{"internalType":"uint32","name":"interval","type":"uint32"},{"internalType":"address[]","name":"recipients","type":"address[]"}],"indexed":false,"internalType":"struct DelegatedSigners.NewScope[]","name":"scopes","type":"tuple[]"}],"name":"SignerAdded","type":"event"},
  {"anonymous":false,"inputs":[{"indexed":true,"internalType":"address","name":"wallet","type":"address"},{"indexed":true,"internalType":"bytes32","name":"signerId","type":"bytes32"},{"indexed":false,"internalType":"uint32","name":"generation","type":"uint32"}],"name":"SignerRemoved","type":"event"},
  {"inputs":[],"name":"ADMIN_SIGNER_ID","outputs":[{"internalType":"bytes32","name":"","type":"bytes32"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"DELEGATED_ACCOUNT","outputs":[{"internalType":"contract DelegatedAccount","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"VERIFIER","outputs":[{"internalType":"contract ISignerVerifier","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint32","name":"expectedGeneration","type":"uint32"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"components":[{"internalType":"address","name":"token","type":"address"},{"internalType":"uint112","name":"limit","type":"uint112"},{"internalType":"uint32","name":"interval","type":"uint32"},{"internalType":"address[]","name":"recipients","type":"address[]"}],"internalType":"struct DelegatedSigners.NewScope[]","name":"newScopes","type":"tuple[]"}],"name":"addSigner","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint256","name":"scopeIndex","type":"uint256"},{"internalType":"address[]","name":"recipients","type":"address[]"}],"name":"areRecipients","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"bumpEpoch","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"}],"name":"bumpEpochOf","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"uint256","name":"nonce","type":"uint256"}],"name":"cancelNonce","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[],"name":"domainSeparator","outputs":[{"internalType":"bytes32","name":"","type":"bytes32"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"epochOf","outputs":[{"internalType":"uint64","name":"","type":"uint64"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"components":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"nonce","type":"uint256"},{"internalType":"uint64","name":"epoch","type":"uint64"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"internalType":"uint256","name":"callGas","type":"uint256"}],"internalType":"struct WalletModule.Operation","name":"op","type":"tuple"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"execute","outputs":[{"internalType":"bool","name":"success","type":"bool"},{"internalType":"bytes","name":"returnData","type":"bytes"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"bytes32","name":"hash","type":"bytes32"},{"internalType":"bytes","name":"signature","type":"bytes"}],"name":"isMessageSignedBy","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"uint256","name":"nonce","type":"uint256"}],"name":"isNonceUsed","outputs":[{"internalType":"bool","name":"","type":"bool"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"components":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"nonce","type":"uint256"},{"internalType":"uint64","name":"epoch","type":"uint64"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"internalType":"uint256","name":"callGas","type":"uint256"}],"internalType":"struct WalletModule.Operation","name":"op","type":"tuple"}],"name":"operationHash","outputs":[{"internalType":"bytes32","name":"","type":"bytes32"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"removeSigner","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"returnDataMax","type":"uint256"}],"name":"runCallsAtomically","outputs":[{"internalType":"bytes","name":"returnData","type":"bytes"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"returnDataMax","type":"uint256"}],"name":"runTransfersAtomically","outputs":[{"internalType":"bytes","name":"returnData","type":"bytes"}],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"internalType":"address","name":"wallet","type":"address"},{"internalType":"bytes32","name":"signerId","type":"bytes32"}],"name":"signerOf","outputs":[{"components":[{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"internalType":"uint32","name":"generation","type":"uint32"},{"internalType":"uint32","name":"epoch","type":"uint32"},{"internalType":"uint8","name":"scopeCount","type":"uint8"},{"internalType":"bool","name":"active","type":"bool"}],"internalType":"struct DelegatedSigners.Signer","name":"signer","type":"tuple"},{"components":[{"internalType":"address","name":"token","type":"address"},{"internalType":"uint112","name":"limit","type":"uint112"},{"internalType":"uint32","name":"interval","type":"uint32"},{"internalType":"uint16","name":"recipientCount","type":"uint16"},{"internalType":"uint256","name":"available","type":"uint256"},{"internalType":"uint256","name":"windowEnd","type":"uint256"}],"internalType":"struct DelegatedSigners.ScopeState[]","name":"scopes","type":"tuple[]"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"components":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"nonce","type":"uint256"},{"internalType":"uint64","name":"epoch","type":"uint64"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"internalType":"uint256","name":"callGas","type":"uint256"}],"internalType":"struct WalletModule.Operation","name":"op","type":"tuple"},{"internalType":"bytes","name":"deployment","type":"bytes"}],"name":"simulate","outputs":[],"stateMutability":"nonpayable","type":"function"},
  {"inputs":[{"components":[{"internalType":"address","name":"wallet","type":"address"},{"components":[{"internalType":"address","name":"to","type":"address"},{"internalType":"uint256","name":"value","type":"uint256"},{"internalType":"bytes","name":"data","type":"bytes"}],"internalType":"struct Call[]","name":"calls","type":"tuple[]"},{"internalType":"uint256","name":"nonce","type":"uint256"},{"internalType":"uint64","name":"epoch","type":"uint64"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"internalType":"uint256","name":"callGas","type":"uint256"}],"internalType":"struct WalletModule.Operation","name":"op","type":"tuple"},{"internalType":"bytes","name":"deployment","type":"bytes"},{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"bytes","name":"scopeIndexes","type":"bytes"}],"name":"simulateAs","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;

export const walletSetupAbi = [
  {"inputs":[{"internalType":"contract DelegatedSigners","name":"module","type":"address"},{"internalType":"contract SignerOwnerFactory","name":"ownerFactory","type":"address"}],"stateMutability":"nonpayable","type":"constructor"},
  {"inputs":[],"name":"NotDeployed","type":"error"},
  {"inputs":[],"name":"MODULE","outputs":[{"internalType":"contract DelegatedSigners","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[],"name":"OWNER_FACTORY","outputs":[{"internalType":"contract SignerOwnerFactory","name":"","type":"address"}],"stateMutability":"view","type":"function"},
  {"inputs":[{"internalType":"bytes32[]","name":"ownerSigners","type":"bytes32[]"},{"components":[{"internalType":"bytes32","name":"signerId","type":"bytes32"},{"internalType":"uint48","name":"validAfter","type":"uint48"},{"internalType":"uint48","name":"validUntil","type":"uint48"},{"components":[{"internalType":"address","name":"token","type":"address"},{"internalType":"uint112","name":"limit","type":"uint112"},{"internalType":"uint32","name":"interval","type":"uint32"},{"internalType":"address[]","name":"recipients","type":"address[]"}],"internalType":"struct DelegatedSigners.NewScope[]","name":"scopes","type":"tuple[]"}],"internalType":"struct WalletSetup.Delegate[]","name":"delegates","type":"tuple[]"}],"name":"setUp","outputs":[],"stateMutability":"nonpayable","type":"function"},
] as const;

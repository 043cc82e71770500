// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AddressSignature} from "./AddressSignature.sol";
import {RETURN_DATA_MAX} from "./BoundedCall.sol";
import {Call} from "./Call.sol";
import {CallRunner} from "./CallRunner.sol";
import {DelegatedSigners} from "./DelegatedSigners.sol";
import {ISafe} from "./ISafe.sol";
import {ISignerVerifier} from "./ISignerVerifier.sol";
import {SafeWallets} from "./SafeWallets.sol";

/// @title Runs signed operations of Safe wallets that enabled it as a module, and of accounts that delegated to its DelegatedAccount.
/// @notice Not externally audited.
/// @dev Anybody may submit an operation: its authority is the signature alone. Signatures are checked in a static call
///      before any state changes, the nonce is used up before the wallet's calls run, and the calls run with exactly the
///      gas that was signed, so that who submits an operation, in which transaction and with how much gas, cannot change
///      what it does or use it up without effect.
contract WalletModule is CallRunner, DelegatedSigners {
    /// `nonce` is any number not used before by the wallet; of a delegate's operation it starts with the first 24 bytes of
    /// the signer id, so that a delegate cannot take the nonces of others, and what one signer signed is for no other role
    /// that it may have. `epoch` is `epochOf` wallet and signer when it was signed: what raises that ends the operation.
    /// `validAfter` and `validUntil` are inclusive, in seconds.
    /// `callGas` is the gas that the calls together get.
    struct Operation {
        address wallet;
        Call[] calls;
        uint256 nonce;
        uint64 epoch;
        uint48 validAfter;
        uint48 validUntil;
        uint256 callGas;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant OPERATION_TYPEHASH = keccak256(
        "Operation(address wallet,Call[] calls,uint256 nonce,uint64 epoch,uint48 validAfter,uint48 validUntil,uint256 callGas)Call(address to,uint256 value,bytes data)"
    );

    /// The signer id of the wallet's owners, all of the threshold together.
    bytes32 public constant ADMIN_SIGNER_ID = bytes32(0);

    /// How much of what a call returned a simulation hands on: nobody pays for that.
    uint256 private constant SIMULATED_RETURN_DATA_MAX = 16_384;

    /// Gas kept back for each budget that is restored when the calls of a delegate fail.
    uint256 private constant RESTORE_BUDGET_GAS = 1_500;

    ISignerVerifier public immutable VERIFIER;

    uint256 private immutable DEPLOYED_CHAIN_ID = block.chainid;
    bytes32 private immutable DEPLOYED_DOMAIN_SEPARATOR = _computeDomainSeparator();

    /// One bit per used nonce, 256 in a word.
    mapping(address wallet => mapping(uint256 word => uint256 bits)) private _usedNonces;

    /// @param reason What the failing call reverted with, at most 512 bytes; empty on success.
    event OperationExecuted(address indexed wallet, bytes32 indexed operationHash, bool success, bytes reason);
    event NonceCancelled(address indexed wallet, uint256 nonce);

    error NonceAlreadyUsed(address wallet, uint256 nonce);
    /// The wallet ended what was signed before, or the delegate was registered anew.
    error WrongEpoch(uint64 named, uint64 current);
    error OperationNotYetValid(uint48 validAfter);
    error OperationExpired(uint48 validUntil);
    error SignatureTooShort();
    /// The signer did not sign this operation, or the proof is not in its form.
    error InvalidSignature(bytes32 signerId);
    /// The nonce of a delegate's operation does not start with the signer's id.
    error ForeignNonce(bytes32 signerId, uint256 nonce);
    error VerifierNotDeployed();
    /// Simulation is for eth_call from the zero address, which no transaction can have as its origin.
    error SimulationOnChain();
    /// @param failedCall Index of the call that reverted; the greatest uint256 when none did.
    /// @param returnData What that call reverted with, or what the last call returned.
    /// @param gasUsed Gas the calls took, without refunds: `callGas` has to be this and a margin.
    /// @param epoch What the operation has to name as its epoch.
    error SimulationResult(bool success, uint256 failedCall, bytes returnData, uint256 gasUsed, uint64 epoch);

    constructor(ISignerVerifier verifier) {
        if (address(verifier).code.length == 0) revert VerifierNotDeployed();
        VERIFIER = verifier;
    }

    /// @notice Runs the calls of `op` from its wallet: all of them, or none and `success` is false.
    /// @dev Reverts, with nothing changed, when the operation may not run (time, epoch, nonce, signature) or too little gas
    ///      arrived. Once it may run it counts as executed, also when a call fails: it can never be submitted again.
    ///      One of the admin with a call to the wallet itself (owners, modules, guard, fallback handler) raises the epoch
    ///      before its calls run, also when they then fail.
    /// @param signature bytes32 signer id, then the signature. For the admin (id 0) the owners' signatures of
    ///        `operationHash(op)` in the Safe's format: 65 bytes each, ascending by owner; v is 27 or 28 for EIP-712,
    ///        31 or 32 for EIP-191 over the 32 bytes of the hash. For a delegate: the number of scope indexes (1 byte), one
    ///        index (1 byte) per call, none for a signer without scopes, then its proof, see SignerVerifier.
    /// @return success Whether every call succeeded.
    /// @return returnData What the failing call reverted with, or the last call returned; at most 512 bytes.
    function execute(Operation calldata op, bytes calldata signature)
        external
        returns (bool success, bytes memory returnData)
    {
        if (block.timestamp < op.validAfter) revert OperationNotYetValid(op.validAfter);
        if (block.timestamp > op.validUntil) revert OperationExpired(op.validUntil);
        address wallet = op.wallet;
        _requireWallet(wallet);
        if (signature.length < 32) revert SignatureTooShort();
        Call[] calldata calls = op.calls;
        (bytes32 structHash, bool isManaging) = _structHash(wallet, op, calls);
        bytes32 signerId = bytes32(signature[:32]);
        bytes32 hash;
        if (signerId == ADMIN_SIGNER_ID) {
            _requireEpoch(op.epoch, _adminEpoch(wallet));
            hash = _requireAdmin(wallet, structHash, signature[32:], op.callGas);
            _useNonce(wallet, op.nonce);
            if (isManaging) _bumpEpoch(wallet);
            (success,, returnData) = _runCalls(wallet, calls, op.callGas, RETURN_DATA_MAX);
        } else {
            (uint256 scopeCount, bytes32 scopeRoot, uint64 epoch) = _requireSigner(wallet, signerId);
            _requireEpoch(op.epoch, epoch);
            hash = _typedDataHash(structHash);
            (bytes calldata scopeIndexes, bytes calldata proof) = _splitDelegateSignature(signature);
            if (op.nonce >> 64 != uint256(signerId) >> 64) revert ForeignNonce(signerId, op.nonce);
            if (!_isSigned(signerId, hash, proof, _gasBeforeCalls(op.callGas))) revert InvalidSignature(signerId);
            _useNonce(wallet, op.nonce);
            (success,, returnData) =
                _runDelegateCalls(scopeCount, scopeRoot, scopeIndexes, wallet, calls, op.callGas, RETURN_DATA_MAX);
        }
        if (success) emit OperationExecuted(wallet, hash, true, "");
        else emit OperationExecuted(wallet, hash, false, returnData);
    }

    /// @notice Called by a wallet: makes one of its nonces unusable.
    function cancelNonce(uint256 nonce) external {
        _useNonce(msg.sender, nonce);
        emit NonceCancelled(msg.sender, nonce);
    }

    /// @notice Tells what the calls of `op` would do, signed by the admin, by always reverting with SimulationResult.
    /// @dev Only for eth_call from the zero address. That everything is undone would be enough on a chain that follows
    ///      the EVM; that no transaction gets in also holds where precompiles have effects which a revert leaves.
    /// @param deployment Deploys the wallet if it has no code: abi.encode(bytes initializer, uint256 saltNonce).
    function simulate(Operation calldata op, bytes calldata deployment) external {
        _simulate(op, deployment, ADMIN_SIGNER_ID, msg.data[:0]);
    }

    /// @notice The same for any signer: refuses what `execute` would refuse this delegate, but for signature, nonce and epoch.
    /// @param scopeIndexes One byte per call, or nothing for a signer without scopes.
    function simulateAs(
        Operation calldata op,
        bytes calldata deployment,
        bytes32 signerId,
        bytes calldata scopeIndexes
    ) external {
        _simulate(op, deployment, signerId, scopeIndexes);
    }

    /// @notice Whether a delegate signed for its wallet: one without scopes and in its time. For ERC-1271.
    /// @param signature As for an operation, without the signer id: 0 scope indexes, then the proof.
    function isMessageSignedBy(address wallet, bytes32 signerId, bytes32 hash, bytes calldata signature)
        external
        view
        returns (bool)
    {
        if (!_isUnscopedSigner(wallet, signerId) || signature.length == 0 || signature[0] != 0) return false;
        return _isSigned(signerId, hash, signature[1:], gasleft());
    }

    /// @notice The EIP-712 hash that the signers of `op` sign.
    function operationHash(Operation calldata op) external view returns (bytes32) {
        (bytes32 structHash,) = _structHash(op.wallet, op, op.calls);
        return _typedDataHash(structHash);
    }

    /// @notice The EIP-712 domain {name: "Purser WalletModule", version: "1", chainId, verifyingContract}, hashed.
    function domainSeparator() public view returns (bytes32) {
        // A chain that forks and changes its id keeps the code: signatures must not hold on both.
        return block.chainid == DEPLOYED_CHAIN_ID ? DEPLOYED_DOMAIN_SEPARATOR : _computeDomainSeparator();
    }

    /// @notice What an operation has to name as its epoch when this signer signs it now: how often the wallet ended what was
    ///         signed, then 32 bits with the signer's generation, of the admin 0.
    function epochOf(address wallet, bytes32 signerId) external view returns (uint64) {
        return _adminEpoch(wallet) | _generationOf(wallet, signerId);
    }

    function isNonceUsed(address wallet, uint256 nonce) external view returns (bool) {
        return _usedNonces[wallet][nonce >> 8] & (1 << (nonce & 0xff)) != 0;
    }

    function _simulate(
        Operation calldata op,
        bytes calldata deployment,
        bytes32 signerId,
        bytes calldata scopeIndexes
    ) private {
        if (tx.origin != address(0)) revert SimulationOnChain();
        if (deployment.length != 0 && op.wallet.code.length == 0) SafeWallets.deploy(op.wallet, deployment);
        _requireWallet(op.wallet);
        uint256 callGas = op.callGas == 0 ? gasleft() / 2 : op.callGas;
        uint256 gasBefore = gasleft();
        bool success;
        uint256 failedCall;
        bytes memory returnData;
        uint64 epoch;
        if (signerId == ADMIN_SIGNER_ID) {
            epoch = _adminEpoch(op.wallet);
            (success, failedCall, returnData) = _runCalls(op.wallet, op.calls, callGas, SIMULATED_RETURN_DATA_MAX);
        } else {
            uint256 scopeCount;
            bytes32 scopeRoot;
            (scopeCount, scopeRoot, epoch) = _requireSigner(op.wallet, signerId);
            (success, failedCall, returnData) =
                _runDelegateCalls(
                    scopeCount, scopeRoot, scopeIndexes, op.wallet, op.calls, callGas, SIMULATED_RETURN_DATA_MAX
                );
        }
        revert SimulationResult(success, failedCall, returnData, gasBefore - gasleft(), epoch);
    }

    function _requireEpoch(uint64 named, uint64 current) private pure {
        if (named != current) revert WrongEpoch(named, current);
    }

    function _adminEpoch(address wallet) private view returns (uint64) {
        return uint64(_epochs[wallet]) << 32;
    }

    function _isSigned(bytes32 signerId, bytes32 hash, bytes calldata proof, uint256 gasMax) private view returns (bool) {
        return AddressSignature.isProof(signerId, hash, proof) || VERIFIER.verify{gas: gasMax}(signerId, hash, proof);
    }

    /// @dev Reverts unless the delegate may make these calls now, then makes them.
    function _runDelegateCalls(
        uint256 scopeCount,
        bytes32 scopeRoot,
        bytes calldata scopeIndexes,
        address wallet,
        Call[] calldata calls,
        uint256 callGas,
        uint256 returnDataMax
    ) private returns (bool success, uint256 failedCall, bytes memory returnData) {
        _requireTargets(wallet, calls);
        if (scopeCount == 0) {
            if (scopeIndexes.length != 0) revert ScopesMismatch(0, scopeIndexes.length);
            return _runCalls(wallet, calls, callGas, returnDataMax);
        }
        Spent[] memory spent = _spend(scopeCount, scopeRoot, calls, scopeIndexes);
        (success, failedCall, returnData) =
            _runTransfers(wallet, calls, callGas, returnDataMax, RESTORE_BUDGET_GAS * spent.length);
        if (!success) _restoreBudgets(spent);
    }

    /// @dev ISafe(wallet).checkSignatures(hash, preimage, signatures), the preimage being 0x1901, domain and struct hash.
    ///      Encoded by hand: the compiler's copies of the same cost 1 % of a transfer. The Safe hands all its gas on to an
    ///      owner that is a contract, so it is given no more than the calls can spare.
    function _requireAdmin(address wallet, bytes32 structHash, bytes calldata signatures, uint256 callGas)
        private
        view
        returns (bytes32 hash)
    {
        bytes4 selector = ISafe.checkSignatures.selector;
        bytes32 domain = domainSeparator();
        uint256 gasMax = _gasBeforeCalls(callGas);
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, selector)
            // Head: the hash follows when it is known, then where preimage and signatures stand.
            mstore(add(data, 0x24), 0x60)
            mstore(add(data, 0x44), 0xe0)
            // The preimage: length, 66 bytes, padding.
            mstore(add(data, 0x64), 66)
            mstore(add(data, 0x84), shl(240, 0x1901))
            mstore(add(data, 0x86), domain)
            mstore(add(data, 0xa6), structHash)
            mstore(add(data, 0xc6), 0)
            hash := keccak256(add(data, 0x84), 66)
            mstore(add(data, 0x04), hash)
            mstore(add(data, 0xe4), signatures.length)
            calldatacopy(add(data, 0x104), signatures.offset, signatures.length)
            if iszero(staticcall(gasMax, wallet, data, add(0x104, signatures.length), 0, 0)) {
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
        }
    }

    function _useNonce(address wallet, uint256 nonce) private {
        mapping(uint256 => uint256) storage words = _usedNonces[wallet];
        uint256 bit = 1 << (nonce & 0xff);
        uint256 used = words[nonce >> 8];
        if (used & bit != 0) revert NonceAlreadyUsed(wallet, nonce);
        words[nonce >> 8] = used | bit;
    }

    function _computeDomainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("Purser WalletModule"), keccak256("1"), block.chainid, address(this))
        );
    }

    function _typedDataHash(bytes32 structHash) private view returns (bytes32 hash) {
        bytes32 domain = domainSeparator();
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(240, 0x1901))
            mstore(add(data, 0x02), domain)
            mstore(add(data, 0x22), structHash)
            hash := keccak256(data, 66)
        }
    }

    /// @return hash What is signed, without the domain.
    /// @return isManaging Whether a call is of one of the wallet's own functions, which is how owners, modules, guard and
    ///         fallback handler change. Sending it value is harmless.
    function _structHash(address wallet, Operation calldata op, Call[] calldata calls)
        private
        pure
        returns (bytes32 hash, bool isManaging)
    {
        bytes32[] memory callHashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            Call calldata call = calls[i];
            address to = call.to;
            bytes calldata data = call.data;
            if (to == wallet && data.length != 0) isManaging = true;
            callHashes[i] = keccak256(abi.encode(CALL_TYPEHASH, to, call.value, keccak256(data)));
        }
        bytes32 callsHash;
        assembly ("memory-safe") {
            callsHash := keccak256(add(callHashes, 0x20), shl(5, mload(callHashes)))
        }
        hash = keccak256(
            abi.encode(OPERATION_TYPEHASH, wallet, callsHash, op.nonce, op.epoch, op.validAfter, op.validUntil, op.callGas)
        );
    }

    /// @param signature bytes32 signer id, number of scope indexes, scope indexes, proof.
    function _splitDelegateSignature(bytes calldata signature)
        private
        pure
        returns (bytes calldata scopeIndexes, bytes calldata proof)
    {
        assembly ("memory-safe") {
            scopeIndexes.offset := add(signature.offset, 33)
            scopeIndexes.length := byte(0, calldataload(add(signature.offset, 32)))
            proof.offset := add(scopeIndexes.offset, scopeIndexes.length)
            proof.length := sub(signature.length, add(33, scopeIndexes.length))
        }
        if (signature.length < 33 + scopeIndexes.length) revert SignatureTooShort();
    }
}

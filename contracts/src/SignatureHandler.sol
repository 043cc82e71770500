// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {ISafe} from "./ISafe.sol";
import {TokenReceiver} from "./TokenReceiver.sol";
import {WalletModule} from "./WalletModule.sol";

/// @title The fallback handler of wallets: signatures of the wallet (ERC-1271), and being sent tokens.
/// @notice Not externally audited.
/// @dev A wallet forwards every call it has no function for, from anybody, and is itself `msg.sender` here. So this
///      contract changes nothing and holds nothing, and it must never be one that trusts a wallet by `msg.sender`: that
///      is why the module is not the fallback handler.
///      What signers sign is the Safe's own message type, bound to chain and wallet:
///      EIP-712 {domain: {chainId, verifyingContract: wallet}, SafeMessage(bytes message)} with message = abi.encode(hash).
contract SignatureHandler is IERC1271, IERC165, TokenReceiver {
    bytes32 private constant SAFE_MESSAGE_TYPEHASH = keccak256("SafeMessage(bytes message)");

    /// The interface of ERC-1271 before it was final, by which a Safe asks owners that are contracts.
    bytes4 private constant LEGACY_MAGIC_VALUE = bytes4(keccak256("isValidSignature(bytes,bytes)"));

    WalletModule public immutable MODULE;

    error ModuleNotDeployed();

    constructor(WalletModule module) {
        if (address(module).code.length == 0) revert ModuleNotDeployed();
        MODULE = module;
    }

    /// @param signature As for an operation: bytes32 signer id (0 is the admin), then the signature. Of the delegates those
    ///        sign for the wallet that have no scopes and are in their time.
    /// @return The magic value 0x1626ba7e if the wallet `msg.sender` signed `hash`, else 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return _isSigned(abi.encode(hash), signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @return The magic value 0x20c13b0b if the wallet `msg.sender` signed `message`, else 0xffffffff.
    function isValidSignature(bytes calldata message, bytes calldata signature) external view returns (bytes4) {
        return _isSigned(message, signature) ? LEGACY_MAGIC_VALUE : bytes4(0xffffffff);
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IERC721Receiver).interfaceId
            || interfaceId == type(IERC1155Receiver).interfaceId || interfaceId == type(IERC1271).interfaceId;
    }

    function _isSigned(bytes memory message, bytes calldata signature) private view returns (bool) {
        if (signature.length < 32) return false;
        bytes32 signerId = bytes32(signature[:32]);
        bytes32 structHash = keccak256(abi.encode(SAFE_MESSAGE_TYPEHASH, keccak256(message)));
        bytes memory preimage = abi.encodePacked(hex"1901", ISafe(msg.sender).domainSeparator(), structHash);
        if (signerId != 0) return _isSignedByDelegate(signerId, keccak256(preimage), signature[32:]);
        try ISafe(msg.sender).checkSignatures(keccak256(preimage), preimage, signature[32:]) {
            return true;
        } catch {
            return false;
        }
    }

    /// @dev A wallet that disabled the module disowned its delegates.
    function _isSignedByDelegate(bytes32 signerId, bytes32 hash, bytes calldata signature) private view returns (bool) {
        return ISafe(msg.sender).isModuleEnabled(address(MODULE))
            && MODULE.isMessageSignedBy(msg.sender, signerId, hash, signature);
    }
}

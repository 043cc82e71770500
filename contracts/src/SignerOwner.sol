// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ISignerVerifier} from "./ISignerVerifier.sol";

/// @title The address of a signer that has none of its own (a P-256 key, a passkey, a quorum), so that it can own a Safe.
/// @notice Not externally audited.
/// @dev The code of clones: which signer one stands for is in the clone's code. It has no state, calls nothing but the
///      verifier and can never do anything itself: it only answers whether its signer signed.
contract SignerOwner is IERC1271 {
    /// The interface of ERC-1271 before it was final, by which a Safe asks owners that are contracts.
    bytes4 private constant LEGACY_MAGIC_VALUE = bytes4(keccak256("isValidSignature(bytes,bytes)"));

    ISignerVerifier public immutable VERIFIER;

    constructor(ISignerVerifier verifier) {
        VERIFIER = verifier;
    }

    /// @param signature The signer's proof, see SignerVerifier.
    /// @return The magic value 0x1626ba7e if the signer signed `hash`, else 0xffffffff.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return VERIFIER.verify(signerId(), hash, signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @return The magic value 0x20c13b0b if the signer signed the hash of `preimage`, else 0xffffffff.
    function isValidSignature(bytes calldata preimage, bytes calldata signature) external view returns (bytes4) {
        return VERIFIER.verify(signerId(), keccak256(preimage), signature) ? LEGACY_MAGIC_VALUE : bytes4(0xffffffff);
    }

    /// @notice The signer this address stands for.
    function signerId() public view returns (bytes32) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (bytes32));
    }
}

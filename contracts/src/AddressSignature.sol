// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

// The kind of a signer that is an address, in ids and proofs; those of other kinds are the SignerVerifier's.
uint8 constant ADDRESS_KIND = 1;

/// @title Signatures by the key of an address. Runs on every EVM, and for delegates without a call to the verifier.
library AddressSignature {
    /// Kind and address.
    uint256 private constant KEY_LENGTH = 21;
    uint256 private constant SIGNATURE_LENGTH = 65;

    /// @return Whether `proof` is of a signer that is an address, and by its key. Contracts sign in another way.
    function isProof(bytes32 signerId, bytes32 hash, bytes calldata proof) internal pure returns (bool) {
        if (proof.length != KEY_LENGTH + SIGNATURE_LENGTH) return false;
        uint256 kind;
        address signer;
        bytes32 id;
        bytes calldata signature;
        assembly ("memory-safe") {
            let head := calldataload(proof.offset)
            kind := byte(0, head)
            signer := shr(96, shl(8, head))
            mstore(0, head)
            id := keccak256(0, KEY_LENGTH)
            signature.offset := add(proof.offset, KEY_LENGTH)
            signature.length := SIGNATURE_LENGTH
        }
        return kind == ADDRESS_KIND && id == signerId && isSigned(signer, hash, signature);
    }

    /// @param signature r, s, v: v is 27 or 28 over the hash, 31 or 32 as EIP-191 over its 32 bytes.
    function isSigned(address signer, bytes32 hash, bytes calldata signature) internal pure returns (bool) {
        if (signature.length != SIGNATURE_LENGTH) return false;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := calldataload(signature.offset)
            s := calldataload(add(signature.offset, 0x20))
            v := byte(0, calldataload(add(signature.offset, 0x40)))
        }
        if (v > 30) {
            hash = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
            v -= 4;
        }
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecover(hash, v, r, s);
        return failure == ECDSA.RecoverError.NoError && recovered == signer;
    }
}

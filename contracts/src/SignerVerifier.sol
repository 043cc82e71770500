// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {WebAuthn} from "@openzeppelin/contracts/utils/cryptography/WebAuthn.sol";
import {ADDRESS_KIND, AddressSignature} from "./AddressSignature.sol";
import {ISignerVerifier} from "./ISignerVerifier.sol";

/// @title Tells whether a signer signed a hash: an address, a P-256 key, a passkey, or m of n of them.
/// @notice Not externally audited. Stateless, trusts nobody, decides nothing: who asks gives the answer its meaning.
/// @dev A signer id is keccak256(kind, key), so one id is one key and takes no storage. A proof is the same kind and key,
///      then what was signed with it:
///
///      | kind | key | signature |
///      |---|---|---|
///      | 1 address | 20 bytes | r, s, v: v is 27 or 28 over the hash, 31 or 32 as EIP-191 over its 32 bytes. Or whatever
///                               the contract at the address takes (ERC-1271) |
///      | 2 P-256 | x, y | r, s over sha256(hash), as every library signs the 32 bytes as a message |
///      | 3 WebAuthn | x, y, 1 if user verification is required, else 0 | abi.encode(r, s, challengeIndex, typeIndex,
///                               authenticatorData, clientDataJSON), the challenge being the hash |
///      | 4 quorum | threshold, number of members, their ids ascending | of `threshold` members, ascending: index in the
///                               list (1 byte), length (3 bytes), proof |
contract SignerVerifier is ISignerVerifier {
    uint8 private constant P256_KIND = 2;
    uint8 private constant WEBAUTHN_KIND = 3;
    uint8 private constant QUORUM_KIND = 4;

    /// How deep quorums may stand in each other: a quorum, its members, and theirs.
    uint256 private constant QUORUM_DEPTH_MAX = 3;

    /// In front of each member's proof: index, length.
    uint256 private constant MEMBER_HEAD = 4;

    /// @inheritdoc ISignerVerifier
    function verify(bytes32 signerId, bytes32 hash, bytes calldata proof) external view returns (bool) {
        return _verify(signerId, hash, proof, 0);
    }

    function _verify(bytes32 signerId, bytes32 hash, bytes calldata proof, uint256 depth) private view returns (bool) {
        uint256 keyEnd = _keyEnd(proof);
        if (keyEnd == 0 || proof.length < keyEnd || keccak256(proof[:keyEnd]) != signerId) return false;
        uint8 kind = uint8(proof[0]);
        bytes calldata key = proof[1:keyEnd];
        bytes calldata signature = proof[keyEnd:];
        if (kind == ADDRESS_KIND) return _verifyAddress(address(bytes20(key)), hash, signature);
        if (kind == P256_KIND) return _verifyP256(key, hash, signature);
        if (kind == WEBAUTHN_KIND) return _verifyWebAuthn(key, hash, signature);
        return _verifyQuorum(key, hash, signature, depth);
    }

    /// @return How many bytes kind and key take at the start of `proof`; 0 for a kind there is not.
    function _keyEnd(bytes calldata proof) private pure returns (uint256) {
        if (proof.length < 3) return 0;
        uint8 kind = uint8(proof[0]);
        if (kind == ADDRESS_KIND) return 21;
        if (kind == P256_KIND) return 65;
        if (kind == WEBAUTHN_KIND) return 66;
        return kind == QUORUM_KIND ? 3 + 32 * uint256(uint8(proof[2])) : 0;
    }

    /// @dev The key first, then the code: an account that runs code (EIP-7702) keeps signing with its key.
    function _verifyAddress(address signer, bytes32 hash, bytes calldata signature) private view returns (bool) {
        if (AddressSignature.isSigned(signer, hash, signature)) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(signer, hash, signature);
    }

    function _verifyP256(bytes calldata key, bytes32 hash, bytes calldata signature) private view returns (bool) {
        if (signature.length != 64) return false;
        return P256.verify(
            sha256(abi.encodePacked(hash)),
            bytes32(signature[:32]),
            bytes32(signature[32:]),
            bytes32(key[:32]),
            bytes32(key[32:])
        );
    }

    function _verifyWebAuthn(bytes calldata key, bytes32 hash, bytes calldata signature) private view returns (bool) {
        uint8 verification = uint8(key[64]);
        if (verification > 1) return false;
        (bool decoded, WebAuthn.WebAuthnAuth calldata auth) = WebAuthn.tryDecodeAuth(signature);
        return decoded
            && WebAuthn.verify(abi.encodePacked(hash), auth, bytes32(key[:32]), bytes32(key[32:64]), verification == 1);
    }

    /// @dev Ascending ids make every member another one; ascending indexes make every signature another member's.
    function _verifyQuorum(bytes calldata key, bytes32 hash, bytes calldata signatures, uint256 depth)
        private
        view
        returns (bool)
    {
        if (depth == QUORUM_DEPTH_MAX || !_isQuorum(key)) return false;
        uint256 threshold = uint8(key[0]);
        uint256 count = uint8(key[1]);
        uint256 indexMin = 0;
        uint256 offset = 0;
        for (uint256 i = 0; i < threshold; ++i) {
            if (signatures.length < offset + MEMBER_HEAD) return false;
            uint256 index = uint8(signatures[offset]);
            uint256 end = offset + MEMBER_HEAD + uint24(bytes3(signatures[offset + 1:offset + MEMBER_HEAD]));
            if (index < indexMin || index >= count || signatures.length < end) return false;
            bytes32 member = bytes32(key[2 + 32 * index:34 + 32 * index]);
            if (!_verify(member, hash, signatures[offset + MEMBER_HEAD:end], depth + 1)) return false;
            indexMin = index + 1;
            offset = end;
        }
        return offset == signatures.length;
    }

    /// @dev A threshold above the number of members needs no look: nobody can sign for an index that there is not.
    function _isQuorum(bytes calldata key) private pure returns (bool) {
        if (uint8(key[0]) == 0) return false;
        uint256 count = uint8(key[1]);
        bytes32 last = 0;
        for (uint256 i = 0; i < count; ++i) {
            bytes32 member = bytes32(key[2 + 32 * i:34 + 32 * i]);
            if (member <= last) return false;
            last = member;
        }
        return true;
    }
}

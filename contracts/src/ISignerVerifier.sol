// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What our contracts ask of the SignerVerifier, which is compiled for a newer EVM than they are.
interface ISignerVerifier {
    /// @return Whether the signer `signerId` signed `hash`. `proof` starts with the key that the id is the hash of.
    function verify(bytes32 signerId, bytes32 hash, bytes calldata proof) external view returns (bool);
}

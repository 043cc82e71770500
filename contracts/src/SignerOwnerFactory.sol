// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// @title Puts the SignerOwner of a signer at its address: one per signer, the same on every chain, by anybody.
/// @notice Not externally audited.
contract SignerOwnerFactory {
    address public immutable OWNER_CODE;

    error OwnerCodeNotDeployed();

    constructor(address ownerCode) {
        if (ownerCode.code.length == 0) revert OwnerCodeNotDeployed();
        OWNER_CODE = ownerCode;
    }

    /// @notice Deploys the owner of `signerId` unless it stands already.
    function deployOwner(bytes32 signerId) external returns (address owner) {
        owner = ownerOf(signerId);
        if (owner.code.length == 0) Clones.cloneDeterministicWithImmutableArgs(OWNER_CODE, abi.encode(signerId), 0);
    }

    /// @notice Where the owner of `signerId` stands, deployed or not.
    function ownerOf(bytes32 signerId) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(OWNER_CODE, abi.encode(signerId), 0);
    }
}

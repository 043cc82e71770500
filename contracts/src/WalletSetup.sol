// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DelegatedSigners} from "./DelegatedSigners.sol";
import {ISafe} from "./ISafe.sol";
import {SignerOwnerFactory} from "./SignerOwnerFactory.sol";

/// @title What a new Safe delegatecalls in its `setup`: puts owners that are passkeys or quorums in place, enables the
///        module, and registers the first delegates.
/// @notice Not externally audited.
/// @dev Stateless. It asks the wallet through a call to itself, so a delegatecall from anywhere else can do no more than
///      that contract lets itself do, and a direct call ends at a function this contract does not have.
contract WalletSetup {
    struct Delegate {
        bytes32 signerId;
        uint48 validAfter;
        uint48 validUntil;
        DelegatedSigners.NewScope[] scopes;
    }

    DelegatedSigners public immutable MODULE;
    SignerOwnerFactory public immutable OWNER_FACTORY;

    error NotDeployed();

    constructor(DelegatedSigners module, SignerOwnerFactory ownerFactory) {
        if (address(module).code.length == 0 || address(ownerFactory).code.length == 0) revert NotDeployed();
        MODULE = module;
        OWNER_FACTORY = ownerFactory;
    }

    /// @param ownerSigners Ids of the signers whose SignerOwner is an owner of the wallet.
    function setUp(bytes32[] calldata ownerSigners, Delegate[] calldata delegates) external {
        ISafe(address(this)).enableModule(address(MODULE));
        for (uint256 i = 0; i < ownerSigners.length; ++i) {
            OWNER_FACTORY.deployOwner(ownerSigners[i]);
        }
        for (uint256 i = 0; i < delegates.length; ++i) {
            Delegate calldata delegate = delegates[i];
            MODULE.addSigner(delegate.signerId, 0, delegate.validAfter, delegate.validUntil, delegate.scopes);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ISafe} from "./ISafe.sol";

/// @title What a new Safe delegatecalls in its `setup`: enables the module.
/// @dev Stateless. It asks the wallet through a call to itself, so a delegatecall from anywhere else can do no more than
///      that contract lets itself do, and a direct call ends at a function this contract does not have.
contract WalletSetup {
    function enable(address module) external {
        ISafe(address(this)).enableModule(module);
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DelegatedAccount} from "./DelegatedAccount.sol";
import {SafeWallets} from "./SafeWallets.sol";

/// @title Which accounts are wallets: Safes, and accounts of a key that delegated to our code.
/// @dev The authority of an operation is that `checkSignatures` does not revert. A contract without that function may answer
///      any call with success (a Safe whose singleton was changed and whose fallback handler is empty does), so code that is
///      not known to check signatures is refused.
abstract contract KnownWallets {
    DelegatedAccount public immutable DELEGATED_ACCOUNT = new DelegatedAccount();

    /// Of the 23 bytes that an account which delegated to it has as its code (EIP-7702).
    bytes32 private immutable DELEGATED_CODE_HASH = keccak256(abi.encodePacked(hex"ef0100", address(DELEGATED_ACCOUNT)));

    error UnknownWallet(address wallet);

    /// @dev Reverts unless `wallet` runs the Safe 1.4.1 code or the account's.
    function _requireWallet(address wallet) internal view {
        if (!SafeWallets.isSafe(wallet) && wallet.codehash != DELEGATED_CODE_HASH) revert UnknownWallet(wallet);
    }
}

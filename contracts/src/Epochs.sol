// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ISafe} from "./ISafe.sol";
import {KnownWallets} from "./KnownWallets.sol";

/// @title What ends everything that was signed for a wallet so far, and every delegate it has.
/// @notice Not externally audited.
/// @dev Operations name the epoch they were signed in, registrations keep the one they were made in. The module is not told
///      when it is disabled or when owners change: what it sees of that, the calls of an operation to the wallet itself,
///      raises the epoch; for the rest there are these functions.
abstract contract Epochs is KnownWallets {
    mapping(address wallet => uint32 epoch) internal _epochs;

    event EpochRaised(address indexed wallet, uint32 epoch);

    /// Only the wallet itself ends what was signed for it, as long as this contract is its module.
    error ModuleStillEnabled(address wallet);

    /// @notice Called by a wallet: nothing that was signed for it so far runs any more, and it has no delegates.
    function bumpEpoch() external {
        _bumpEpoch(msg.sender);
    }

    /// @notice Called by anybody: the same for a wallet that disabled this module, so that enabling it again revives nothing.
    function bumpEpochOf(address wallet) external {
        _requireWallet(wallet);
        if (_isModule(wallet, address(this))) revert ModuleStillEnabled(wallet);
        _bumpEpoch(wallet);
    }

    function _bumpEpoch(address wallet) internal {
        uint32 epoch = _epochs[wallet] + 1;
        _epochs[wallet] = epoch;
        emit EpochRaised(wallet, epoch);
    }

    /// @dev ISafe(wallet).isModuleEnabled(target); a wallet that does not say no has said yes.
    function _isModule(address wallet, address target) internal view returns (bool enabled) {
        bytes4 selector = ISafe.isModuleEnabled.selector;
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, target)
            let answered := staticcall(gas(), wallet, 0, 0x24, 0, 0x20)
            enabled := iszero(and(answered, and(eq(returndatasize(), 0x20), iszero(mload(0)))))
        }
    }
}

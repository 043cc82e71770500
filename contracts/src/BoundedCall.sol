// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// How much of what the call of an operation returned is handed on and logged.
uint256 constant RETURN_DATA_MAX = 512;

/// @title Calls with a gas cap whose answer is copied only up to a length, so that no callee can make us pay for it.
library BoundedCall {
    /// @return success Whether the call returned.
    /// @return returned The first `lengthMax` bytes of what it returned or reverted with.
    function call(address target, uint256 gasLimit, bytes memory data, uint256 lengthMax)
        internal
        returns (bool success, bytes memory returned)
    {
        assembly ("memory-safe") {
            success := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, lengthMax) { size := lengthMax }
            returned := mload(0x40)
            mstore(returned, size)
            returndatacopy(add(returned, 0x20), 0, size)
            mstore(0x40, and(add(add(returned, size), 0x3f), not(0x1f)))
        }
    }
}

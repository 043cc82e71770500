// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Calls one after the other, all or none: the least that a batch can cost.
contract BareBatch {
    struct Call {
        address to;
        bytes data;
    }

    function run(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success,) = calls[i].to.call(calls[i].data);
            require(success, "a call failed");
        }
    }
}

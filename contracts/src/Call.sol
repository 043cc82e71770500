// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// What a wallet is to call. `value` is in wei.
struct Call {
    address to;
    uint256 value;
    bytes data;
}

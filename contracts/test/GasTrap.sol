// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// An owner that is a contract: signs whenever it is asked for nothing, or until a block, and burns all it gets in earnest.
contract GasTrap {
    uint256 public until;

    function set(uint256 until_) external {
        until = until_;
    }

    function isValidSignature(bytes calldata, bytes calldata) external view returns (bytes4) {
        if (tx.gasprice != 0 && block.number > until) while (true) {}
        return 0x20c13b0b;
    }

    /// Takes about this much gas.
    function work(uint256 gas) external view {
        uint256 before = gasleft();
        while (before - gasleft() < gas) {}
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCall, RETURN_DATA_MAX} from "./BoundedCall.sol";
import {SafeWallets} from "./SafeWallets.sol";
import {WalletModule} from "./WalletModule.sol";

/// @title Runs many signed operations of many wallets in one transaction, each with its own gas cap, each failing alone.
/// @notice Not externally audited.
/// @dev It has no authority and no state: every item is one that its caller could submit to the module alone.
contract BatchExecutor {
    /// `deployment` deploys the wallet if it has no code: abi.encode(bytes initializer, uint256 saltNonce), or empty.
    /// `gasLimit` is the most gas that deployment and operation get together.
    struct Item {
        WalletModule.Operation op;
        bytes signature;
        bytes deployment;
        uint256 gasLimit;
    }

    /// @param executed Whether the operation counts as executed and its nonce as used.
    /// @param success Whether it executed and all its calls succeeded.
    /// @param returnData What the last call returned, the failing call reverted with, or the item was refused with.
    /// @param gasUsed Gas of deployment and operation, without refunds: `gasLimit` has to be this and a margin.
    struct ItemResult {
        bool executed;
        bool success;
        bytes returnData;
        uint256 gasUsed;
    }

    WalletModule public immutable MODULE;

    /// Gas kept back for what follows an item: its result, and the event of a refused one.
    uint256 private constant AFTER_ITEM_GAS = 25_000;

    /// The longest answer of the module: success, offset, length, returnData.
    uint256 private constant ANSWER_MAX = 96 + RETURN_DATA_MAX;

    /// The item was refused before its nonce was used; it can be submitted again.
    event ItemFailed(uint256 indexed index, bytes reason);

    /// Too little gas is left to give the item its cap. The whole batch is undone, nobody's operation is used up.
    error InsufficientBatchGas(uint256 index, uint256 gasLimit);
    error OnlySelf();
    error ModuleNotDeployed();
    /// The signature has to follow the operation in the calldata of an item, as every encoder puts it.
    error NotInOrder();

    /// @dev A call to an address without code succeeds, which would look like an executed operation.
    constructor(WalletModule module) {
        if (address(module).code.length == 0) revert ModuleNotDeployed();
        MODULE = module;
    }

    /// @notice Runs the items in order. Only too little gas for an item's cap reverts the whole batch.
    /// @return results One per item.
    function executeBatch(Item[] calldata items) external returns (ItemResult[] memory results) {
        results = new ItemResult[](items.length);
        for (uint256 i = 0; i < items.length; ++i) {
            results[i] = _executeItem(i, items[i]);
        }
    }

    /// @dev A frame of its own, so that a deployment fails inside the item's gas cap.
    function deployWallet(address wallet, bytes calldata deployment) external {
        if (msg.sender != address(this)) revert OnlySelf();
        SafeWallets.deploy(wallet, deployment);
    }

    function _executeItem(uint256 index, Item calldata item) private returns (ItemResult memory result) {
        bytes memory encoded = _encodeExecute(item);
        uint256 gasBefore = gasleft();
        uint256 gasLimit = item.gasLimit;
        // A call passes on at most 63/64 of the gas that is left.
        if (gasBefore < AFTER_ITEM_GAS || gasLimit > (gasBefore - AFTER_ITEM_GAS) / 64 * 63) {
            revert InsufficientBatchGas(index, gasLimit);
        }
        bool ready = true;
        if (item.deployment.length != 0 && item.op.wallet.code.length == 0) {
            bytes memory deploy = abi.encodeCall(this.deployWallet, (item.op.wallet, item.deployment));
            (ready, result.returnData) = BoundedCall.call(address(this), gasLimit, deploy, ANSWER_MAX);
            uint256 spent = gasBefore - gasleft();
            gasLimit = gasLimit > spent ? gasLimit - spent : 0;
        }
        if (ready) {
            (result.executed, result.returnData) = BoundedCall.call(address(MODULE), gasLimit, encoded, ANSWER_MAX);
        }
        result.gasUsed = gasBefore - gasleft();
        if (result.executed) {
            (result.success, result.returnData) = _decodeAnswer(result.returnData);
        } else {
            emit ItemFailed(index, result.returnData);
        }
    }

    /// @dev The call of `MODULE.execute(item.op, item.signature)`. Both stand next to each other in the calldata, encoded
    ///      as that call needs them, so they are copied as they are: encoding them anew costs 2,500 gas per item.
    ///      Nothing is trusted to it: the module decodes and checks whatever arrives.
    function _encodeExecute(Item calldata item) private pure returns (bytes memory encoded) {
        WalletModule.Operation calldata op = item.op;
        bytes calldata signature = item.signature;
        bytes4 selector = WalletModule.execute.selector;
        uint256 start;
        uint256 end;
        assembly {
            start := op
            end := add(signature.offset, and(add(signature.length, 0x1f), not(0x1f)))
        }
        if (start >= end) revert NotInOrder();
        assembly ("memory-safe") {
            encoded := mload(0x40)
            let length := sub(end, start)
            mstore(encoded, add(length, 0x44))
            mstore(add(encoded, 0x20), selector)
            mstore(add(encoded, 0x24), 0x40)
            mstore(add(encoded, 0x44), add(sub(sub(signature.offset, 0x20), start), 0x40))
            calldatacopy(add(encoded, 0x64), start, length)
            mstore(0x40, and(add(add(encoded, length), 0x83), not(0x1f)))
        }
    }

    /// @dev abi.decode(answer, (bool, bytes)) in place. The module's answer is never longer than ANSWER_MAX.
    function _decodeAnswer(bytes memory answer) private pure returns (bool success, bytes memory returnData) {
        assembly ("memory-safe") {
            success := mload(add(answer, 0x20))
            returnData := add(answer, 0x60)
        }
    }
}

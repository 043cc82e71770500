// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
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
    uint256 private constant ANSWER_MAX = 96 + 512;

    /// The item was refused before its nonce was used; it can be submitted again.
    event ItemFailed(uint256 indexed index, bytes32 operationHash, bytes reason);

    /// Too little gas is left to give the item its cap. The whole batch is undone, nobody's operation is used up.
    error InsufficientBatchGas(uint256 index, uint256 gasLimit);
    error OnlySelf();

    constructor(WalletModule module) {
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
        bytes memory encoded = abi.encodeCall(MODULE.execute, (item.op, item.signature));
        uint256 gasBefore = gasleft();
        // A call passes on at most 63/64 of the gas that is left.
        if (gasBefore < AFTER_ITEM_GAS || item.gasLimit > (gasBefore - AFTER_ITEM_GAS) / 64 * 63) {
            revert InsufficientBatchGas(index, item.gasLimit);
        }
        bool ready = true;
        if (item.deployment.length != 0 && item.op.wallet.code.length == 0) {
            (ready, result.returnData) = BoundedCall.call(
                address(this), item.gasLimit, abi.encodeCall(this.deployWallet, (item.op.wallet, item.deployment)), ANSWER_MAX
            );
        }
        if (ready) {
            uint256 spent = gasBefore - gasleft();
            uint256 gasLimit = item.gasLimit > spent ? item.gasLimit - spent : 0;
            (result.executed, result.returnData) = BoundedCall.call(address(MODULE), gasLimit, encoded, ANSWER_MAX);
        }
        result.gasUsed = gasBefore - gasleft();
        if (result.executed) {
            (result.success, result.returnData) = abi.decode(result.returnData, (bool, bytes));
        } else {
            emit ItemFailed(index, MODULE.operationHash(item.op), result.returnData);
        }
    }
}

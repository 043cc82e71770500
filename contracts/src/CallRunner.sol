// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCall} from "./BoundedCall.sol";
import {Call} from "./Call.sol";
import {ISafe} from "./ISafe.sol";

/// @title Makes the calls of wallets that enabled it as a module: all of them or none, with exactly the gas they are given.
/// @notice Not externally audited.
/// @dev Whether they may be made is decided before; nothing here is open to anybody but the contract itself.
abstract contract CallRunner {
    /// Gas kept back for what follows the calls: the event with the longest reason, and the way out.
    uint256 private constant AFTER_CALLS_GAS = 15_000;

    /// Bytes in front of what a wallet returns for a call: success, offset, length.
    uint256 private constant RETURN_HEAD = 96;

    /// The most that stands in front of or behind the bytes which the atomic frame ends with:
    /// selector, index, offset, length, padding.
    uint256 private constant FRAME_HEAD_MAX = 132;

    uint8 private constant OPERATION_CALL = 0;

    uint256 private constant NO_CALL = type(uint256).max;

    /// Too little gas arrived to give the calls `callGas`. Nothing was used up: submit again with more.
    error InsufficientGas(uint256 callGas);
    error OnlySelf();
    error CallFailed(uint256 index, bytes returnData);
    /// The token did not answer that it moved anything, or is no contract.
    error TransferNotConfirmed(address token);

    /// @dev The frame that makes several calls succeed or fail together.
    function runCallsAtomically(address wallet, Call[] calldata calls, uint256 returnDataMax)
        external
        returns (bytes memory returnData)
    {
        if (msg.sender != address(this)) revert OnlySelf();
        for (uint256 i = 0; i < calls.length; ++i) {
            bool success;
            (success, returnData) = _callFromWallet(wallet, _encodeCall(calls[i]), gasleft(), returnDataMax);
            if (!success) revert CallFailed(i, returnData);
        }
    }

    /// @dev The same for transfers, each of which has to be confirmed.
    function runTransfersAtomically(address wallet, Call[] calldata calls, uint256 returnDataMax)
        external
        returns (bytes memory returnData)
    {
        if (msg.sender != address(this)) revert OnlySelf();
        for (uint256 i = 0; i < calls.length; ++i) {
            bool success;
            (success, returnData) = _callFromWallet(wallet, _encodeCall(calls[i]), gasleft(), returnDataMax);
            if (!success) revert CallFailed(i, returnData);
            if (calls[i].data.length != 0 && !_isConfirmed(calls[i].to, returnData)) {
                revert CallFailed(i, abi.encodeWithSelector(TransferNotConfirmed.selector, calls[i].to));
            }
        }
    }

    /// @dev One call is atomic by itself and spares the frame of its own.
    function _runCalls(address wallet, Call[] calldata calls, uint256 callGas, uint256 returnDataMax)
        internal
        returns (bool success, uint256 failedCall, bytes memory returnData)
    {
        if (calls.length == 0) return (true, NO_CALL, "");
        if (calls.length == 1) {
            bytes memory encoded = _encodeCall(calls[0]);
            _requireGas(callGas, AFTER_CALLS_GAS);
            (success, returnData) = _callFromWallet(wallet, encoded, callGas, returnDataMax);
            return (success, success ? NO_CALL : 0, returnData);
        }
        bytes memory frame = abi.encodeCall(this.runCallsAtomically, (wallet, calls, returnDataMax));
        return _runFrame(frame, callGas, returnDataMax, AFTER_CALLS_GAS);
    }

    /// @dev Calls that are all transfers: a token that answers false has not moved anything, and nothing of the rest happens.
    /// @param undoGas Gas kept back for what follows a failure.
    function _runTransfers(
        address wallet,
        Call[] calldata calls,
        uint256 callGas,
        uint256 returnDataMax,
        uint256 undoGas
    ) internal returns (bool success, uint256 failedCall, bytes memory returnData) {
        bytes memory frame = abi.encodeCall(this.runTransfersAtomically, (wallet, calls, returnDataMax));
        return _runFrame(frame, callGas, returnDataMax, AFTER_CALLS_GAS + undoGas);
    }

    function _runFrame(bytes memory frame, uint256 callGas, uint256 returnDataMax, uint256 afterGas)
        private
        returns (bool success, uint256 failedCall, bytes memory returnData)
    {
        _requireGas(callGas, afterGas);
        (success, returnData) = BoundedCall.call(address(this), callGas, frame, returnDataMax + FRAME_HEAD_MAX);
        if (success) return (true, NO_CALL, abi.decode(returnData, (bytes)));
        // The frame itself ran out of gas: no call failed by its own doing.
        if (returnData.length == 0) return (false, NO_CALL, returnData);
        (failedCall, returnData) = _decodeCallFailed(returnData);
    }

    /// @dev What may be taken before the calls without touching what they need. Whoever is asked for a proof gets no more: a
    ///      contract that burns all it gets would else burn the gas of the calls, in a transaction that then refuses them.
    function _gasBeforeCalls(uint256 callGas) internal view returns (uint256) {
        return _requireGas(callGas, AFTER_CALLS_GAS);
    }

    /// @dev Checked when all memory that the call needs is paid for.
    /// @return What is there beyond it.
    function _requireGas(uint256 callGas, uint256 afterGas) private view returns (uint256) {
        uint256 available = gasleft();
        if (available < afterGas) revert InsufficientGas(callGas);
        // A call passes on at most 63/64 of the gas that is left.
        unchecked {
            available -= afterGas;
            if (callGas > available / 64 * 63) revert InsufficientGas(callGas);
            return available - callGas - callGas / 63;
        }
    }

    /// @dev As for SafeERC20: true, or nothing from a token that is older than the answer.
    function _isConfirmed(address token, bytes memory returnData) private view returns (bool) {
        if (returnData.length == 0) return token.code.length != 0;
        // Less than a word is filled up with zeros behind it, which does not make it a one.
        return bytes32(returnData) == bytes32(uint256(1));
    }

    function _encodeCall(Call calldata call) private pure returns (bytes memory) {
        return abi.encodeCall(ISafe.execTransactionFromModuleReturnData, (call.to, call.value, call.data, OPERATION_CALL));
    }

    function _callFromWallet(address wallet, bytes memory encoded, uint256 callGas, uint256 returnDataMax)
        private
        returns (bool success, bytes memory returnData)
    {
        (success, returnData) = BoundedCall.call(wallet, callGas, encoded, returnDataMax + RETURN_HEAD);
        if (!success) {
            // The wallet itself refused (this module is not enabled) or ran out of gas.
            assembly ("memory-safe") {
                if gt(mload(returnData), returnDataMax) { mstore(returnData, returnDataMax) }
            }
            return (false, returnData);
        }
        if (returnData.length < RETURN_HEAD) return (false, "");
        assembly ("memory-safe") {
            // In place: [length of all] [success] [offset] [length] [bytes], where length may exceed what was copied.
            success := eq(mload(add(returnData, 0x20)), 1)
            let copied := sub(mload(returnData), RETURN_HEAD)
            returnData := add(returnData, 0x60)
            if gt(mload(returnData), copied) { mstore(returnData, copied) }
        }
    }

    function _decodeCallFailed(bytes memory revertData) private pure returns (uint256 index, bytes memory returnData) {
        assembly ("memory-safe") {
            // In place: [length of all] [selector, index, offset, length, bytes], the selector being 4 bytes.
            index := mload(add(revertData, 0x24))
            returnData := add(revertData, 0x64)
        }
    }
}
